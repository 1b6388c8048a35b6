// SPDX-License-Identifier: MIT
#include <exception>
#include <sstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include <mylos/base/version.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/cuda/driver.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/emulator/compiler.hpp>

#include "core/engine.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

using Json = nlohmann::ordered_json;

// What an inspection finds, or why it failed: this report is what people read when things are broken.
template <class F>
Json inspect(F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const std::exception& error) {
    return Json{{"error", error.what()}};
  }
}

Json kokkos() {
  Json found;
  found["version"] = std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                     std::to_string(KOKKOS_VERSION % 100);
  found["default_execution_space"] = Kokkos::DefaultExecutionSpace::name();
  found["default_host_execution_space"] = Kokkos::DefaultHostExecutionSpace::name();
  found["device_space"] = DeviceSpace::name();
  found["runs_functors_on_device"] = runs_functors_v<DeviceSpace>;
  found["initialized"] = detail::kokkos_is_running();
  if (found["initialized"]) {
    std::ostringstream text;
    Kokkos::print_configuration(text);
    found["configuration"] = text.str();
  }
  return found;
}

Json usability(Backend backend) {
  const std::string reason = detail::unusable_reason(backend);
  Json found{{"usable", reason.empty()}};
  if (!reason.empty()) found["reason"] = reason;
  return found;
}

Json cuda_backend() {
  const cuda::DriverInfo& driver = cuda::driver();
  Json found = usability(Backend::cuda);
  found["driver_version"] = driver.version > 0 ? Json(cuda::version_text(driver.version)) : Json();
  found["devices"] = Json::array();
  for (const cuda::DeviceInfo& device : driver.devices) found["devices"].push_back(device.name);
  return found;
}

// A backend without a compiler still has memory and copies; it is kernels that cannot run.
Json emulated_backend() {
  Json found = usability(Backend::emulated);
  const emulator::CompilerInfo compiler = emulator::compiler_info();
  found["compiler"] = {{"command", compiler.command}, {"usable", compiler.unusable_reason.empty()}};
  if (compiler.unusable_reason.empty()) {
    found["compiler"]["version"] = compiler.version;
  } else {
    found["compiler"]["reason"] = compiler.unusable_reason;
  }
  return found;
}

Json nvrtc() {
  const cuda::Nvrtc* const library = cuda::Nvrtc::find();
  const std::string_view of_build = cuda::Nvrtc::default_file();
  const Json last = of_build.empty() ? Json() : Json(of_build);
  if (library == nullptr) {
    return {{"usable", false}, {"reason", cuda::Nvrtc::unavailable_reason()}, {"file_of_the_build", last}};
  }
  return {{"usable", true},
          {"version", library->version()},
          {"path", library->path()},
          {"file_of_the_build", last},
          {"architectures", library->supported_architectures()}};
}

Json device_in_use() {
  const auto in_use = detail::engine_in_use();
  return in_use ? Json(to_string(*in_use)) : Json();
}

}  // namespace

std::string backend_info() {
  Json info;
  info["mylos"] = version();
  info["backend"] = inspect([] { return Json(to_string(backend())); });
  info["device_in_use"] = inspect(device_in_use);
  info["device_count"] = inspect([] { return Json(device_count()); });
  info["kokkos"] = inspect(kokkos);
  info["backends"]["host"] = inspect([] { return usability(Backend::host); });
  info["backends"]["cuda"] = inspect(cuda_backend);
  info["backends"]["emulated"] = inspect(emulated_backend);
  info["nvrtc"] = inspect(nvrtc);
  // Texts of other libraries need not be UTF-8.
  return info.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mylos::inline MYLOS_ABI
