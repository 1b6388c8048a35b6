// SPDX-License-Identifier: MIT
#include "jit/cache_entry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <mylos/base/hash.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

constexpr std::string_view first_line = "mylos cache entry 1";

std::string checksum_of(std::string_view text) { return Hasher().add(text).hex(); }

// The next line, taken off; nothing where no line ends.
std::optional<std::string_view> take_line(std::string_view& text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

std::string pack_cache_entry(std::string_view key, std::string_view description, std::string_view bytes) {
  std::string line(description);
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' '; }, ' ');
  const std::string body = fmt::format("{}\n{}", line, bytes);
  return fmt::format("{}\n{}\n{}\n{}", first_line, key, checksum_of(body), body);
}

std::optional<CacheEntryHead> head_of_cache_entry(std::string_view file) {
  std::string_view rest = file;
  if (take_line(rest) != first_line) return std::nullopt;
  const auto key = take_line(rest), checksum = take_line(rest), description = take_line(rest);
  if (!key || !checksum || !description) return std::nullopt;
  return CacheEntryHead{*key, *checksum, *description, file.size() - rest.size()};
}

std::optional<std::string_view> bytes_of_cache_entry(std::string_view file, std::string_view key) {
  const auto head = head_of_cache_entry(file);
  if (!head || head->key != key) return std::nullopt;
  const std::string_view body = file.substr(head->size - head->description.size() - 1);
  if (head->checksum != checksum_of(body)) return std::nullopt;
  return file.substr(head->size);
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
