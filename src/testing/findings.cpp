// SPDX-License-Identifier: MIT
#include <mylos/testing/findings.hpp>

#include <mylos/base/log.hpp>
#include <mylos/core/backend.hpp>

namespace mylos::inline MYLOS_ABI::testing {

// NOLINTNEXTLINE(modernize-use-string-view): what complaint_about() gives
std::string nothing_was_checked() {
  if (backend() == Backend::host) {
    return "launches nothing on the emulated device, so nothing was checked: give it Views of the DeviceSpace, and run "
           "the test with MYLOS_BACKEND=emulated or below a ScopedBackend";
  }
  if (backend() == Backend::cuda) {
    log::warning(
        "MYLOS_EXPECT_NO_FINDINGS cannot check launches on a GPU: run the test with MYLOS_BACKEND=emulated too");
  }
  return {};
}

}  // namespace mylos::inline MYLOS_ABI::testing
