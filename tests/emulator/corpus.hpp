// SPDX-License-Identifier: MIT
// The kernels of tests/emulator/corpus: each a fault, and under #ifndef FAULTY its repair.
//
// The first lines of a file tell its launch and arguments, and `// reported: PLACE, TITLE` that somebody found such a
// fault in a program of theirs and told it in public. `// finds: KIND, KIND` marks each line that findings of these
// kinds name, on both sides of a race; they name no other. What finds Kind::thread_order is run in several orders, its
// repair too.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mylos/base/files.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>

namespace mylos_test {

struct CorpusKernel {
  std::string name;
  std::string text;
  mylos::emulator::LaunchShape shape = {};
  bool in_order = false;                    // each block waits for the one before it
  std::vector<std::string> arguments = {};  // "double[64]", "double[64] unwritten", "int 5"

  struct Mark {
    std::string kind;
    int line = 0;
  };
  std::vector<Mark> marks = {};
  std::string reported = {};  // where others met the same fault

  [[nodiscard]] bool finds(std::string_view kind) const {
    return std::ranges::any_of(marks, [&](const Mark& mark) { return mark.kind == kind; });
  }
};

inline std::filesystem::path corpus_folder() {
  return std::filesystem::path(MYLOS_SOURCE_FOLDER) / "tests" / "emulator" / "corpus";
}

/// The names of all files, sorted.
inline std::vector<std::string> corpus_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder())) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace corpus_detail {

inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part.substr(part.find_first_not_of(' ')));
  return parts;
}

/// "8x8" or "3".
inline std::array<std::uint32_t, 3> extents(const std::string& text) {
  std::array<std::uint32_t, 3> result = {1, 1, 1};
  std::istringstream stream(text);
  std::size_t axis = 0;
  for (std::string part; std::getline(stream, part, 'x');) {
    result.at(axis++) = static_cast<std::uint32_t>(std::stoul(part));
  }
  return result;
}

inline void read_launch(CorpusKernel& kernel, const std::string& text) {
  for (const std::string& part : split(text)) {
    const std::string value = part.substr(part.find(' ') + 1);
    if (part.starts_with("grid")) kernel.shape.grid = extents(value);
    if (part.starts_with("block")) kernel.shape.block = extents(value);
    if (part.starts_with("shared")) kernel.shape.shared_bytes = std::stoul(value);
    if (part == "in order") kernel.in_order = true;
  }
}

}  // namespace corpus_detail

inline CorpusKernel read_corpus_kernel(const std::string& name) {
  CorpusKernel kernel{.name = name, .text = mylos::read_file(corpus_folder() / (name + ".cu"))};
  std::istringstream lines(kernel.text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    constexpr std::string_view launch = "// launch: ", arguments = "// arguments: ", finds = "// finds: ",
                               reported = "// reported: ";
    if (line.starts_with(launch)) corpus_detail::read_launch(kernel, line.substr(launch.size()));
    if (line.starts_with(arguments)) kernel.arguments = corpus_detail::split(line.substr(arguments.size()));
    if (line.starts_with(reported)) kernel.reported = line.substr(reported.size());
    if (const auto mark = line.find(finds); mark != std::string::npos) {
      for (const std::string& kind : corpus_detail::split(line.substr(mark + finds.size()))) {
        kernel.marks.push_back({kind, number});
      }
    }
  }
  return kernel;
}

/// What a kernel of the corpus is launched with. Arrays hold 0, 1, 2, ...; what is UNWRITTEN or FREED is so only for
/// the faulty kernel.
class CorpusArguments {
 public:
  CorpusArguments(const CorpusKernel& kernel, bool faulty) {
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) add(kernel.arguments[i], i, faulty);
    for (auto& value : values_) addresses_.push_back(value.get());
    addresses_.push_back(nullptr);
  }
  CorpusArguments(const CorpusArguments&) = delete;
  CorpusArguments& operator=(const CorpusArguments&) = delete;
  ~CorpusArguments() {
    for (void* const memory : live_) mylos::emulator::deallocate(memory);
  }

  [[nodiscard]] void* const* addresses() const { return addresses_.data(); }

 private:
  using Value = std::unique_ptr<std::array<std::byte, 8>>;

  void add(const std::string& text, std::size_t number, bool faulty) {
    const std::string type = text.substr(0, text.find_first_of(" ["));
    if (type == "int") return add<int>(text, number, faulty);
    if (type == "float") return add<float>(text, number, faulty);
    if (type == "double") return add<double>(text, number, faulty);
    if (type == "char") return add<char>(text, number, faulty);
    if (type == "short") return add<short>(text, number, faulty);
    throw std::invalid_argument("an argument of the corpus: " + text);
  }

  template <class T>
  void add(const std::string& text, std::size_t number, bool faulty) {
    const auto open = text.find('[');
    if (open == std::string::npos) return add_value(static_cast<T>(std::stod(text.substr(text.find(' ')))));
    const std::size_t size = std::stoul(text.substr(open + 1));
    const auto says = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    auto* const data =
        static_cast<T*>(mylos::emulator::allocate(size * sizeof(T), "argument " + std::to_string(number)));
    if (!says("unwritten") && !(faulty && says("UNWRITTEN"))) {
      const mylos::emulator::HostAccess access;
      mylos::emulator::note_write(data, size * sizeof(T));
      for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<T>(i);
    }
    if (faulty && says("FREED")) {
      mylos::emulator::deallocate(data);
    } else {
      live_.push_back(data);
    }
    add_value(data);
  }

  template <class T>
  void add_value(T value) {
    Value place = std::make_unique<std::array<std::byte, 8>>();
    std::memcpy(place->data(), &value, sizeof value);
    values_.push_back(std::move(place));
  }

  std::vector<void*> live_;
  std::vector<Value> values_;
  std::vector<void*> addresses_;
};

}  // namespace mylos_test
