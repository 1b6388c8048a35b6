// SPDX-License-Identifier: MIT
#include "cache_report.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "json_text.hpp"

namespace mylos_command {

std::string table(const CacheEntries& entries, const std::filesystem::path& folder) {
  std::string text;
  std::uintmax_t bytes = 0;
  for (const auto& entry : entries) {
    text += fmt::format("{:>10}  {}\n", entry.bytes, entry.description);
    bytes += entry.bytes;
  }
  return text + fmt::format("{} entries, {} bytes, in {}\n", entries.size(), bytes, folder.string());
}

std::string json(const CacheEntries& entries) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto& entry : entries) {
    all.push_back(nlohmann::ordered_json{{"bytes", entry.bytes}, {"description", entry.description}});
  }
  return json_text(all);
}

}  // namespace mylos_command
