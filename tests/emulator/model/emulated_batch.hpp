// SPDX-License-Identifier: MIT
// Kernels of the model, compiled by the emulator many at a time, and launched there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/finding.hpp>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

class EmulatedBatch {
 public:
  explicit EmulatedBatch(std::vector<Kernel> kernels);

  struct Result {
    /// Of each array in device memory, in order; what nobody wrote has any value.
    std::vector<std::vector<Bits>> arrays;
    std::vector<mylos::emulator::Finding> findings;
  };

  /// Launches one kernel on memory of its own, with the checks of the caller's scope. The shape of its blocks is one of
  /// several with as many threads, by the number of the kernel.
  [[nodiscard]] Result run(std::size_t kernel, const Shape& shape) const;

  [[nodiscard]] std::size_t size() const { return kernels_.size(); }
  [[nodiscard]] const std::vector<Kernel>& kernels() const { return kernels_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::vector<Kernel> kernels_;
  std::string text_;
  std::shared_ptr<const mylos::emulator::Program> program_;
};

}  // namespace mylos_test::model
