// SPDX-License-Identifier: MIT
// A cache of compiled kernels that holds nothing at first and is gone at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>

#include "support/temporary_folder.hpp"

namespace mylos_perf {

class OwnCache {
 public:
  OwnCache() {
    ::setenv("MYLOS_CACHE_DIR", (folder_ / "cache").c_str(), 1);
    ::setenv("MYLOS_CACHE", "1", 1);
  }

  /// Beside the cache.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  mylos_test::TemporaryFolder folder_;
};

}  // namespace mylos_perf
