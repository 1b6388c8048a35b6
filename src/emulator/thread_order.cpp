// SPDX-License-Identifier: MIT
// Check::thread_order: the same launch in several orders, and what they leave compared.
#include "emulator/thread_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/log.hpp>
#include <mylos/emulator/memory.hpp>

#include "emulator/argument_arrays.hpp"
#include "emulator/checker.hpp"
#include "emulator/device_heap.hpp"
#include "emulator/journal.hpp"
#include "emulator/leaving.hpp"
#include "emulator/registry.hpp"
#include "emulator/run_once.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// What the elements of some memory are, as far as it is known: words without meaning otherwise.
struct ElementType {
  unsigned type = mylos_other;
  std::size_t bytes = 4;
};

bool is_number(std::size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

// Calls `action` with the value as what it is.
template <class Action>
auto with_value(ElementType element, const std::byte* from, Action&& action) {
  const bool is_signed = element.type == mylos_signed_integer;
  if (element.type == mylos_floating && element.bytes == 8) return action(read<double>(from));
  if (element.type == mylos_floating && element.bytes == 4) return action(read<float>(from));
  switch (element.bytes) {
    case 1: return is_signed ? action(read<std::int8_t>(from)) : action(read<std::uint8_t>(from));
    case 2: return is_signed ? action(read<std::int16_t>(from)) : action(read<std::uint16_t>(from));
    case 4: return is_signed ? action(read<std::int32_t>(from)) : action(read<std::uint32_t>(from));
    default: return is_signed ? action(read<std::int64_t>(from)) : action(read<std::uint64_t>(from));
  }
}

std::string value_text(ElementType element, const std::byte* from) {
  const bool has_meaning = element.type != mylos_other && element.type != mylos_pointer;
  return with_value(element, from, [&](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>) {
      if (!has_meaning) return fmt::format("{:#x}", value);
    }
    return fmt::format("{}", value);
  });
}

bool is_within(ElementType element, const std::byte* first, const std::byte* now, double tolerance) {
  if (std::memcmp(first, now, element.bytes) == 0) return true;
  if (element.type != mylos_floating || tolerance == 0) return false;
  const auto real = [&](const std::byte* from) {
    return with_value(element, from, [](auto value) { return static_cast<double>(value); });
  };
  const double a = real(first), b = real(now);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

// An element that an order left otherwise than the first one.
struct Element {
  std::uintptr_t address = 0;
  std::array<std::byte, 8> first = {}, now = {};  // its bytes
  std::optional<Witness> writer = {};
};

// Those of some memory. Which of them come from something else than the order is not known before the first order has
// run again, so that one alone would not do.
struct Difference {
  static constexpr std::size_t most_elements = 4096;

  Memory memory;
  std::uintptr_t begin = 0;
  ElementType type;
  std::vector<Element> elements = {};
  bool has_more = false;
  std::optional<Witness> first_writer = {};  // of the first of them
};

// What kernels have allocated and nobody has freed.
std::set<void*> heap_blocks() {
  std::set<void*> blocks;
  for (const Allocation& allocation : Registry::instance().live()) {
    if (allocation.label == heap_label) blocks.insert(allocation.base);
  }
  return blocks;
}

class RestoringFirst {
 public:
  explicit RestoringFirst(Journal& journal) : journal_(journal) {}
  ~RestoringFirst() { journal_.restore_first(); }
  RestoringFirst(const RestoringFirst&) = delete;
  RestoringFirst& operator=(const RestoringFirst&) = delete;

 private:
  Journal& journal_;
};

class Comparison {
 public:
  explicit Comparison(const Task& task)
      : task_(task), journal_(task.module), arrays_(arrays_of(task.module, task.launch)) {}

  std::vector<Finding> run();

 private:
  std::vector<Finding> run_with(std::uint64_t seed, const std::function<void(Checker&)>& at_end);
  std::vector<Finding> run_again(std::uint64_t seed, const std::function<void(Checker&)>& at_end);
  std::vector<Finding> run_in_others();
  std::vector<Finding> run_other(std::uint64_t seed);
  std::vector<Finding> confirmed(std::uint64_t seed);
  void compare(Checker& checker);
  void compare(const Journal::Piece& piece);
  [[nodiscard]] ElementType element_in(const Surroundings& allocation) const;
  [[nodiscard]] Finding finding_of(const Difference& difference, std::uint64_t seed) const;

  const Task& task_;
  Journal journal_;
  std::vector<ArgumentArray> arrays_;
  std::map<std::uintptr_t, Difference> differences_;  // by where the memory begins
  bool has_used_heap_ = false;
};

std::vector<Finding> Comparison::run_with(std::uint64_t seed, const std::function<void(Checker&)>& at_end) {
  Task task = task_;
  task.options.order_seed = seed;
  const Rerunning rerunning{journal_, [&](Checker& checker) {
                              has_used_heap_ = has_used_heap_ || checker.has_used_heap();
                              at_end(checker);
                            }};
  return run_once(task, &rerunning);
}

std::vector<Finding> Comparison::run() {
  const std::uint64_t first_seed = task_.options.order_seed;
  auto findings = run_with(first_seed, [](Checker&) {});
  if (!findings.empty()) return findings;
  if (!has_used_heap_) return run_in_others();
  log::warning(fmt::format("kernel '{}' allocates or frees memory, so it is not run in other orders of its threads",
                           task_.kernel));
  return findings;
}

std::vector<Finding> Comparison::run_in_others() {
  const std::uint64_t first_seed = task_.options.order_seed;
  journal_.keep_first();
  const RestoringFirst at_the_end(journal_);  // also when something is thrown
  std::vector<Finding> findings;
  unsigned i = 0;
  while (i < task_.options.orders && findings.empty() && !has_used_heap_) findings = run_other(first_seed + ++i);
  if (has_used_heap_) {
    log::warning(
        fmt::format("kernel '{}' allocates or frees memory in the order of order_seed {} and not in that of {}: its "
                    "results are not compared from there on, and what it freed stays freed",
                    task_.kernel, first_seed + i, first_seed));
  }
  return findings;
}

// From the same memory. What the run allocates goes with it.
std::vector<Finding> Comparison::run_again(std::uint64_t seed, const std::function<void(Checker&)>& at_end) {
  journal_.restore();
  const std::set<void*> before = heap_blocks();
  auto findings = run_with(seed, [&](Checker& checker) {
    if (!checker.has_used_heap()) at_end(checker);
  });
  if (!has_used_heap_) return findings;
  differences_.clear();
  for (void* const block : heap_blocks()) {
    if (!before.contains(block)) Registry::instance().deallocate(block);
  }
  return findings;
}

std::vector<Finding> Comparison::run_other(std::uint64_t seed) {
  differences_.clear();
  auto findings = run_again(seed, [this](Checker& checker) { compare(checker); });
  for (Finding& finding : findings) {
    finding.text +=
        fmt::format("; in the order of order_seed {}, and not in that of {}", seed, task_.options.order_seed);
    for (Site& site : finding.sites) site.order_seed = seed;
  }
  if (!findings.empty() || differences_.empty()) return findings;
  return confirmed(seed);
}

void Comparison::compare(Checker& checker) {
  journal_.for_each_difference([this](const Journal::Piece& piece) { compare(piece); });
  for (auto& [begin, difference] : differences_) {
    for (Element& element : difference.elements) element.writer = checker.last_writer(element.address);
  }
}

void Comparison::compare(const Journal::Piece& piece) {
  Memory memory{.of = Memory::Of::device};
  ElementType element;
  std::uintptr_t begin = piece.address();
  if (piece.variable != nullptr) {
    memory = {.of = Memory::Of::global, .name = piece.variable->name, .bytes = piece.variable->bytes};
    if (is_number(memory.bytes)) element.bytes = memory.bytes;
    if (memory.bytes % element.bytes != 0) element.bytes = 1;
  } else {
    const Surroundings at = Registry::instance().surroundings(begin);
    memory.name = at.label;
    begin = at.base;
    element = element_in(at);
  }
  for (std::size_t at = 0; at + element.bytes <= piece.now.size(); at += element.bytes) {
    const std::byte *const first = &piece.first[at], *const now = &piece.now[at];
    if (is_within(element, first, now, task_.options.order_tolerance)) continue;
    Difference& difference =
        differences_.try_emplace(begin, Difference{.memory = memory, .begin = begin, .type = element}).first->second;
    difference.has_more = difference.elements.size() == Difference::most_elements;
    if (difference.has_more) return;
    Element& found = difference.elements.emplace_back(Element{.address = piece.address() + at});
    std::copy_n(first, element.bytes, found.first.begin());
    std::copy_n(now, element.bytes, found.now.begin());
  }
}

// As the first argument that points into it says.
ElementType Comparison::element_in(const Surroundings& allocation) const {
  for (const ArgumentArray& array : arrays_) {
    const bool is_inside = array.data - allocation.base < allocation.bytes;
    if (!is_inside || !is_number(array.element_bytes) || array.data % array.element_bytes != 0) continue;
    return {array.element_type, array.element_bytes};
  }
  return {};
}

// What the first order leaves otherwise as well when it runs again depends on something else, such as a clock.
std::vector<Finding> Comparison::confirmed(std::uint64_t seed) {
  run_again(task_.options.order_seed, [this](Checker& checker) {
    for (auto& [begin, difference] : differences_) {
      std::erase_if(difference.elements, [bytes = difference.type.bytes](const Element& element) {
        return std::memcmp(reinterpret_cast<const void*>(element.address), element.first.data(), bytes) != 0;
      });
    }
    std::erase_if(differences_, [](const auto& entry) { return entry.second.elements.empty(); });
    for (auto& [begin, difference] : differences_) {
      difference.first_writer = checker.last_writer(difference.elements.front().address);
    }
  });
  std::vector<Finding> findings;
  findings.reserve(differences_.size());
  for (const auto& [begin, difference] : differences_) findings.push_back(finding_of(difference, seed));
  return findings;
}

Finding Comparison::finding_of(const Difference& difference, std::uint64_t seed) const {
  const std::uint64_t first_seed = task_.options.order_seed;
  const Element& element = difference.elements.front();
  const auto number = static_cast<std::int64_t>((element.address - difference.begin) / difference.type.bytes);
  const std::string first_value = value_text(difference.type, element.first.data());
  const std::string value = value_text(difference.type, element.now.data());
  Finding finding{.kind = Kind::thread_order,
                  .kernel = task_.kernel,
                  .label = difference.memory.name,
                  .index = multi_index(arrays_, element.address).value_or(std::vector{number})};
  const auto add_site = [&](const std::optional<Witness>& writer, const std::string& left, std::uint64_t order) {
    Site site;
    if (writer) {
      const std::uintptr_t code = instruction_before(task_.module.base() + writer->code);
      site = site_of(*writer, task_.launch, line_of(task_.module, code));
    }
    site.value = left;
    site.order_seed = order;
    finding.sites.push_back(std::move(site));
  };
  add_site(difference.first_writer, first_value, first_seed);
  add_site(element.writer, value, seed);
  const std::size_t more = difference.elements.size() - 1;
  const std::string others =
      more == 0 ? ""
                : fmt::format(", and {}{} more element{} differ{}", difference.has_more ? "at least " : "", more,
                              more == 1 ? "" : "s", more == 1 ? "s" : "");
  finding.text = fmt::format(
      "element {} of {} depends on the order of threads: it is {} with order_seed {} and {} with order_seed {}{}: a "
      "GPU promises no order: {}",
      number, name_of(difference.memory), first_value, first_seed, value, seed, others,
      difference.type.type == mylos_floating
          ? "sum in a fixed order, or allow for rounding by Options::order_tolerance (MYLOS_EMULATOR_ORDER_TOLERANCE)"
          : "give each thread a place of its own, or sort what threads append in any order");
  return finding;
}

}  // namespace

std::vector<Finding> run_in_several_orders(const Task& task) {
  const auto alone = Checker::alone();
  const HostAccess access;
  const Variants::Loan variables(task.variants, task.module);
  Registry::instance().start_checks();
  return Comparison(task).run();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
