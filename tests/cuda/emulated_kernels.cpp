// SPDX-License-Identifier: MIT
#include "cuda/emulated_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <mylos/base/files.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>
#include <mylos/emulator/options.hpp>

#include "base/variable_names.hpp"

namespace mylos_test {
namespace {

namespace emulator = mylos::emulator;

constexpr int launch_failed = 719;

/// Compiled when it is first needed: its variables (__device__) live from launch to launch, as those of a module do.
struct EmulatedKernel {
  emulator::Source source;
  std::shared_ptr<const emulator::Program> program = nullptr;
};

const emulator::Program& program_of(EmulatedKernel& kernel) {
  if (kernel.program == nullptr) kernel.program = emulator::compile(kernel.source);
  return *kernel.program;
}

int run(EmulatedKernel& kernel, const stand_in::Launched& launch) {
  try {
    emulator::launch(program_of(kernel),
                     {.grid = {launch.grid[0], launch.grid[1], launch.grid[2]},
                      .block = {launch.block[0], launch.block[1], launch.block[2]},
                      .shared_bytes = launch.shared_bytes},
                     launch.arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel %s: %s\n", launch.symbol, error.what());
    return launch_failed;
  }
}

int run_kernel(void* kernel, const stand_in::Launched& launch) {
  return run(*static_cast<EmulatedKernel*>(kernel), launch);
}

void* find_variable(void* kernel, const char* symbol, std::size_t bytes) {
  try {
    const auto variable =
        program_of(*static_cast<EmulatedKernel*>(kernel)).variable(mylos::detail::qualified_name(symbol));
    return variable.size() == bytes ? variable.data() : nullptr;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "variable %s: %s\n", symbol, error.what());
    return nullptr;
  }
}

// As in kernels/strided/copies.cu.
struct Walk {
  std::int64_t size, axes;
  std::array<std::int64_t, 9> extent, to, from;
};
struct Number { std::int32_t category, bytes; };

/// What a walk visits on one side, from the first byte to the last, as a View of the emulated device: checked launches
/// know no other memory.
class Mirror {
 public:
  Mirror(void* data, const Walk& walk, const std::array<std::int64_t, 9>& strides, std::int64_t element_bytes) {
    std::int64_t before = 0, behind = element_bytes;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(walk.axes); ++axis) {
      const std::int64_t reach = (walk.extent[axis] - 1) * strides[axis];
      (reach < 0 ? before : behind) += reach;
    }
    original_ = static_cast<std::byte*>(data) + before;
    bytes_ = static_cast<std::size_t>(behind - before);
    copy_ = static_cast<std::byte*>(emulator::allocate(bytes_, "mirror"));
    data_ = copy_ - before;
    const emulator::HostAccess access;
    emulator::note_write(copy_, bytes_);
    std::memcpy(copy_, original_, bytes_);
  }
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;
  ~Mirror() { emulator::deallocate(copy_); }

  void copy_back() const {
    const emulator::HostAccess access;
    std::memcpy(original_, copy_, bytes_);
  }
  /// Of the kernel's argument.
  [[nodiscard]] void* address() { return &data_; }

 private:
  std::size_t bytes_ = 0;
  std::byte *original_ = nullptr, *copy_ = nullptr, *data_ = nullptr;
};

// One of copies.cu. What the checks find is a fault of the driver's, and fails whoever waits for the copy.
int run_on_mirrors(EmulatedKernel& kernel, stand_in::Launched launch) {
  const std::string_view symbol = launch.symbol;
  const bool fills = symbol.starts_with("mylos_fill_"), converts = symbol == "mylos_convert";
  std::array<void*, 5> arguments{};
  std::copy_n(launch.arguments, converts ? 5 : 3, arguments.begin());
  launch.arguments = arguments.data();
  const auto& walk = *static_cast<const Walk*>(arguments[fills ? 1 : 2]);
  const auto element_bytes = [&](std::size_t number) {
    return converts ? static_cast<const Number*>(arguments[number])->bytes : symbol.back() - '0';
  };
  Mirror to(*static_cast<void**>(arguments[0]), walk, walk.to, element_bytes(3));
  std::optional<Mirror> from;
  if (!fills) from.emplace(*static_cast<void**>(arguments[1]), walk, walk.from, element_bytes(4));
  arguments[0] = to.address();
  if (from) arguments[1] = from->address();
  const int result = run(kernel, launch);
  to.copy_back();
  return result;
}

struct LibraryKernels {
  std::string text = mylos::read_file(MYLOS_SOURCE_FOLDER "/kernels/strided/copies.cu");
  std::map<std::string, EmulatedKernel> by_symbol;
};

int run_library_kernel(void* library, const stand_in::Launched& launch) {
  auto& [text, kernels] = *static_cast<LibraryKernels*>(library);
  EmulatedKernel& kernel =
      kernels.try_emplace(launch.symbol, emulator::Source{.text = text, .name = launch.symbol}).first->second;
  return emulator::current_checks().empty() ? run(kernel, launch) : run_on_mirrors(kernel, launch);
}

[[maybe_unused]] const bool at_start = [] {
  if (StandIn::path() == nullptr || !std::filesystem::exists(StandIn::path())) return false;
  static const StandIn stand_in;
  run_library_kernels(stand_in);
  return true;
}();

}  // namespace

// What runs later has to be alive then: until the end of the process.
void run_on_emulator(const StandIn& stand_in, const std::string& symbol, const std::string& text,
                     const std::string& name, const std::string& instantiate) {
  stand_in.set_body(symbol.c_str(), run_kernel,
                    new EmulatedKernel{{.text = text, .name = name, .instantiate = instantiate}}, find_variable);
}

void run_library_kernels(const StandIn& stand_in) {
  static auto* const library = new LibraryKernels;
  stand_in.set_body(nullptr, run_library_kernel, library);
}

}  // namespace mylos_test
