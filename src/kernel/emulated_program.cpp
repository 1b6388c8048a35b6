// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstring>

#include <mylos/emulator/launch.hpp>

#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI::detail {

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> programs = 0;
  return ++programs;
}

}  // namespace

DeviceProgram::DeviceProgram() : serial_(next_serial()) {}
DeviceProgram::~DeviceProgram() = default;

std::span<std::byte> DeviceProgram::variable(std::string_view name) const {
  const std::scoped_lock lock(finding_);
  auto found = variables_.find(name);
  if (found == variables_.end()) found = variables_.emplace(name, find_variable(name)).first;
  return found->second;
}

namespace {

class EmulatedProgram final : public DeviceProgram {
 public:
  explicit EmulatedProgram(const emulator::Source& source)
      : program_(emulator::compile(source)),
        compiled_{.name = source.name,
                  .architecture = "emulated",
                  .image = {},
                  .log = {},
                  .parameters = program_->parameters(),
                  .fields = program_->fields()} {}

  void launch(const LaunchShape& shape, const ParameterBlock& parameters, const Device& /*stream*/) const override {
    emulator::launch(*program_,
                     {.grid = narrowed(shape.grid), .block = narrowed(shape.block), .shared_bytes = shape.shared_bytes},
                     parameters.pointers());
  }
  // A launch is complete when it returns, whatever stream it is on.
  void write(std::span<std::byte> variable, const void* source, const Device& /*stream*/) const override {
    std::memcpy(variable.data(), source, variable.size());
  }
  void read(void* destination, std::span<const std::byte> variable, const Device& /*stream*/) const override {
    std::memcpy(destination, variable.data(), variable.size());
  }
  [[nodiscard]] const cuda::LoadedKernel* on_gpu() const override { return nullptr; }
  [[nodiscard]] const CompiledKernel& compiled() const override { return compiled_; }

 private:
  [[nodiscard]] std::span<std::byte> find_variable(std::string_view name) const override {
    return program_->variable(name);
  }

  std::shared_ptr<const emulator::Program> program_;
  CompiledKernel compiled_;
};

}  // namespace

std::shared_ptr<const DeviceProgram> make_emulated_program(const emulator::Source& source) {
  return std::make_shared<EmulatedProgram>(source);
}

}  // namespace mylos::inline MYLOS_ABI::detail
