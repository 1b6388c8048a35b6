// SPDX-License-Identifier: MIT
#include <mylos/base/environment.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::environment {
namespace {

[[noreturn]] void refuse(const char* name, std::string_view value, const std::string& accepted) {
  throw ValueError(
      fmt::format("environment variable {} is '{}': it must be {}: correct or unset it", name, value, accepted));
}

std::string lower_case(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return word;
}

std::string_view trim(std::string_view word) {
  const auto first = word.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return word.substr(first, word.find_last_not_of(" \t") - first + 1);
}

template <class T>
std::optional<T> number(const char* name, const char* kind, T lowest, T highest) {
  const auto value = text(name);
  if (!value) return std::nullopt;
  T number = 0;
  const char* end = value->data() + value->size();
  const auto [stop, code] = std::from_chars(value->data(), end, number);
  const bool is_within = number >= lowest && number <= highest;  // which a NaN is not
  if (code != std::errc() || stop != end || !is_within) {
    refuse(name, *value, fmt::format("{} from {} to {}", kind, lowest, highest));
  }
  return number;
}

}  // namespace

std::optional<std::string> text(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in Mylos writes the environment
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::optional<bool> boolean(const char* name) {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const std::string word = lower_case(*value);
  if (word == "1" || word == "true" || word == "on" || word == "yes") return true;
  if (word == "0" || word == "false" || word == "off" || word == "no") return false;
  refuse(name, *value, "0 or 1 (or false, true, off, on, no, yes)");
}

std::optional<std::int64_t> integer(const char* name, std::int64_t lowest, std::int64_t highest) {
  return number<std::int64_t>(name, "a whole number", lowest, highest);
}

std::optional<double> real(const char* name, double lowest, double highest) {
  return number<double>(name, "a number", lowest, highest);
}

std::optional<std::string> choice(const char* name, std::initializer_list<std::string_view> allowed) {
  auto value = text(name);
  if (value && std::ranges::find(allowed, *value) == allowed.end()) {
    refuse(name, *value, fmt::format("one of {}", fmt::join(allowed, ", ")));
  }
  return value;
}

std::vector<std::string> choices(const char* name, std::initializer_list<std::string_view> allowed) {
  const auto value = text(name);
  std::vector<std::string> words;
  if (!value) return words;
  std::string_view rest = *value;
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view word = trim(rest.substr(0, comma));
    if (std::ranges::find(allowed, word) == allowed.end()) {
      refuse(name, *value, fmt::format("a list, separated by commas, of {}", fmt::join(allowed, ", ")));
    }
    words.emplace_back(word);
    if (comma == std::string_view::npos) return words;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace mylos::inline MYLOS_ABI::environment
