// SPDX-License-Identifier: MIT
#include "emulator/line_columns.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/elf_file.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Reads numbers from bytes; behind their end it throws.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw Error("a line table ends early");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  template <class T>
  T number() {
    T value;
    take(sizeof value).copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }
  // LEB128: seven bits a byte, the lowest first.
  std::uint64_t unsigned_leb() { return leb().value; }
  std::int64_t signed_leb() {
    const Leb leb = this->leb();
    const bool is_negative = (leb.last & 0x40U) != 0 && leb.bits < 64;
    return static_cast<std::int64_t>(is_negative ? leb.value | ~std::uint64_t{0} << leb.bits : leb.value);
  }
  std::string_view length_and_bytes() { return take(unsigned_leb()); }

 private:
  struct Leb {
    std::uint64_t value = 0;
    unsigned bits = 0;
    std::uint8_t last = 0;
  };
  Leb leb() {
    Leb leb;
    do {
      leb.last = byte();
      if (leb.bits < 64) leb.value |= std::uint64_t{leb.last & 0x7fU} << leb.bits;
      leb.bits += 7;
    } while ((leb.last & 0x80U) != 0);
    return leb;
  }

  std::string_view bytes_;
};

struct Row {
  std::uint64_t address = 0;
  std::uint64_t line = 1;  // wraps around in damaged tables
  int column = 0;
};

// Each row holds up to the next one of its sequence.
class Columns {
 public:
  explicit Columns(std::span<const AddressInLine> places) : places_(places), found_(places.size()) {}

  void add(const Row& row) {
    if (row_) {
      for (std::size_t i = 0; i < places_.size(); ++i) {
        const auto [address, line] = places_[i];
        if (address >= row_->address && address < row.address && static_cast<std::uint64_t>(line) == row_->line)
          found_[i] = row_->column;
      }
    }
    row_ = row;
  }
  void end_sequence() { row_.reset(); }
  [[nodiscard]] const std::vector<int>& found() const { return found_; }

 private:
  std::span<const AddressInLine> places_;
  std::vector<int> found_;
  std::optional<Row> row_;
};

// One unit of .debug_line: a header, tables of files that are of no interest here, and a program that makes rows.
class LineProgram {
 public:
  explicit LineProgram(std::string_view unit, bool is_wide) : reader_(unit) {
    const auto version = reader_.number<std::uint16_t>();
    if (version < 2 || version > 5) throw Error("a line table has an unknown version");
    if (version == 5) reader_.take(2);
    Reader header(reader_.take(is_wide ? reader_.number<std::uint64_t>() : reader_.number<std::uint32_t>()));
    shortest_ = header.byte();
    if (version >= 4) header.byte();
    header.byte();
    line_base_ = header.number<std::int8_t>();
    line_range_ = std::max<int>(header.byte(), 1);
    first_special_ = header.byte();
    for (int opcode = 1; opcode < first_special_; ++opcode) operands_.push_back(header.byte());
  }

  void run(Columns& columns) {
    while (!reader_.is_at_end()) {
      const int opcode = reader_.byte();
      if (opcode >= first_special_) {
        advance(opcode - first_special_);
        row_.line += static_cast<std::uint64_t>(line_base_ + (opcode - first_special_) % line_range_);
        columns.add(row_);
      } else if (opcode == 0) {
        extended(Reader(reader_.length_and_bytes()), columns);
      } else {
        standard(opcode, columns);
      }
    }
  }

 private:
  void advance(int special) { row_.address += static_cast<std::uint64_t>(special / line_range_) * shortest_; }

  void extended(Reader operation, Columns& columns) {
    constexpr int end_sequence = 1, set_address = 2;
    const int opcode = operation.byte();
    if (opcode == set_address) row_.address = operation.number<std::uint64_t>();
    if (opcode != end_sequence) return;
    columns.add(row_);
    columns.end_sequence();
    row_ = {};
  }

  void standard(int opcode, Columns& columns) {
    enum { copy = 1, advance_address, advance_line, set_file, set_column, const_add_address = 8, fixed_advance = 9 };
    switch (opcode) {
      case copy: columns.add(row_); return;
      case advance_address: row_.address += reader_.unsigned_leb() * shortest_; return;
      case advance_line: row_.line += static_cast<std::uint64_t>(reader_.signed_leb()); return;
      case set_column: row_.column = static_cast<int>(reader_.unsigned_leb()); return;
      case const_add_address: advance(255 - first_special_); return;
      case fixed_advance: row_.address += reader_.number<std::uint16_t>(); return;
      default:
        for (int i = 0; i < operands_.at(static_cast<std::size_t>(opcode) - 1); ++i) reader_.unsigned_leb();
    }
  }

  Reader reader_;
  unsigned shortest_ = 1;  // instruction
  int line_base_ = 0, line_range_ = 1, first_special_ = 1;
  std::vector<int> operands_;  // of the standard opcodes
  Row row_;
};

void read_tables(std::string_view section, Columns& columns) {
  constexpr std::uint32_t wide = 0xffffffff;
  Reader units(section);
  while (!units.is_at_end()) {
    const auto length = units.number<std::uint32_t>();
    const bool is_wide = length == wide;
    LineProgram(units.take(is_wide ? units.number<std::uint64_t>() : length), is_wide).run(columns);
  }
}

}  // namespace

std::vector<int> columns_of(const std::string& shared_object, std::span<const AddressInLine> places) {
  Columns columns(places);
  try {
    const mylos::detail::ElfFile file(shared_object, "a compiled kernel");
    for (const auto& section : file.sections()) {
      if (section.name == ".debug_line") read_tables(file.content(section), columns);
    }
  } catch (const Error& error) {
    log::debug(error.what());
  }
  return columns.found();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
