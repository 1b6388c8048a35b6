// SPDX-License-Identifier: MIT
#include <mylos/testing/spaces.hpp>

#include <mylos/base/environment.hpp>

namespace mylos::inline MYLOS_ABI::testing {

bool cuda_is_required() { return environment::boolean("MYLOS_REQUIRE_CUDA").value_or(false); }

const char* no_cuda_message() {
  static const std::string message = "CUDA cannot be used here: " + backend_info();
  return message.c_str();
}

}  // namespace mylos::inline MYLOS_ABI::testing
