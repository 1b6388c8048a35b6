// SPDX-License-Identifier: MIT
// A cache of compiled kernels that holds nothing at first and is gone at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace mylos_perf {

class OwnCache {
 public:
  OwnCache() {
    std::string folder = (std::filesystem::temp_directory_path() / "mylos-perf-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot create " + folder);
    folder_ = folder;
    ::setenv("MYLOS_CACHE_DIR", (folder_ / "cache").c_str(), 1);
    ::setenv("MYLOS_CACHE", "1", 1);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  ~OwnCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// Beside the cache.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace mylos_perf
