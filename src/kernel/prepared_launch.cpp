// SPDX-License-Identifier: MIT
#include "kernel/prepared_launch.hpp"

#include <fmt/format.h>

#include <mylos/base/log.hpp>
#include <mylos/kernel/debug.hpp>

#include "kernel/check_finite.hpp"

namespace mylos::inline MYLOS_ABI::detail {

bool is_debugged(const CudaOptions& options) { return options.debug ? *options.debug : debug(); }

bool is_watched(const CudaOptions& options) { return options.check_finite || is_debugged(options); }

void PreparedLaunch::run(const Device& stream) const {
  if (log::enabled(log::Level::debug)) {
    log::debug(fmt::format("kernel '{}': launched ({}), {} blocks of {} threads, {} bytes of dynamic shared memory",
                           call.kernel, program.compiled().architecture, to_string(shape.grid), to_string(shape.block),
                           shape.shared_bytes));
  }
  program.launch(shape, parameters, stream);
  if (program.on_gpu() != nullptr && is_debugged(options)) stream.fence("mylos: debugging waits after each launch");
  if (options.check_finite) require_finite(call, parameters);
}

}  // namespace mylos::inline MYLOS_ABI::detail
