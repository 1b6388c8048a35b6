// SPDX-License-Identifier: MIT
// A text that only one of the compilers takes is a fault of the test or of the emulator.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/nvrtc_test.hpp"

namespace mylos_test {

/// Compiles for the emulator and, where there is one of that version or a newer one, by NVRTC.
inline std::shared_ptr<const mylos::emulator::Program> compile_by_both(const mylos::emulator::Source& source,
                                                                       int version = 12) {
  const mylos::cuda::Nvrtc* const nvrtc = mylos::cuda::Nvrtc::find();
  if (nvrtc != nullptr && nvrtc->major() >= version && !lacks_toolkit_headers(source.text)) {
    EXPECT_NO_THROW(static_cast<void>(mylos::jit::NvrtcCompiler().compile({.text = source.text,
                                                                           .name = source.name,
                                                                           .file = source.file,
                                                                           .architecture = "sm_90",
                                                                           .options = source.options,
                                                                           .include_dirs = source.include_dirs,
                                                                           .instantiate = source.instantiate})));
  }
  return mylos::emulator::compile(source);
}

}  // namespace mylos_test
