// SPDX-License-Identifier: MIT
#include <mylos/testing/device_function.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::testing {
namespace {

using jit::FunctionDeclaration;
using jit::FunctionParameter;

std::string kernel_name(const FunctionDeclaration& function) { return function.plain_name() + "_at_each_index"; }

// The lines of a kernel's text that make the function known.
std::string definition_in(std::string_view header) {
  const std::filesystem::path file(header);
  std::error_code none;
  if (std::filesystem::is_regular_file(file, none)) {
    return fmt::format("#include \"{}\"\n", std::filesystem::absolute(file).string());
  }
  if (header.find_first_of("\n#;{}") != std::string_view::npos) return fmt::format("{}\n", header);
  return fmt::format("#include \"{}\"\n", header);
}

// A name for what the kernel has beside the function's parameters.
std::string unused_name(const FunctionDeclaration& function, std::string name) {
  const auto is_used = [&](const FunctionParameter& parameter) { return parameter.name == name; };
  while (std::ranges::any_of(function.parameters, is_used)) name += '_';
  return name;
}

template <class T>
std::int64_t read(const void* value) {
  return static_cast<std::int64_t>(*static_cast<const T*>(value));
}

// Nothing for what is no integer.
std::optional<std::int64_t> integer_of(const Argument& argument) {
  if (argument.type->is_view) return std::nullopt;
  switch (argument.type->kind) {
    case ValueKind::int32: return read<std::int32_t>(argument.data);
    case ValueKind::int64: return read<std::int64_t>(argument.data);
    case ValueKind::uint32: return read<std::uint32_t>(argument.data);
    case ValueKind::uint64: return read<std::uint64_t>(argument.data);
    default: return std::nullopt;
  }
}

bool is_value(const FunctionParameter& parameter) { return parameter.kind == ParameterKind::value; }

// One parameter of the function as the kernel declares it, and as it is passed on.
struct Passed { std::string declaration, expression; };

Passed pass(const FunctionParameter& parameter, std::size_t number, bool takes_view, const std::string& index) {
  const std::string name = parameter.name.empty() ? fmt::format("argument_{}", number) : parameter.name;
  if (!takes_view && parameter.kind == ParameterKind::pointer) {
    return {fmt::format("{} {}", parameter.type, name), "&" + name};
  }
  if (takes_view && is_value(parameter)) {
    const char* const qualifier = parameter.may_be_written ? "" : "const ";
    return {fmt::format("mylos::Array<{}{}, 1> {}", qualifier, parameter.type, name),
            fmt::format("{}({})", name, index)};
  }
  if (parameter.kind == ParameterKind::pointer) {
    return {parameter.declaration + (parameter.name.empty() ? " " + name : ""), name};
  }
  return {fmt::format("{} {}", parameter.type, name), name};
}

}  // namespace

namespace detail {

std::string text_around(std::string_view header, const FunctionDeclaration& function,
                        const std::vector<bool>& takes_view) {
  const std::string result = unused_name(function, "result"), index = unused_name(function, "index"),
                    indices = unused_name(function, "indices");
  std::vector<std::string> declarations, expressions;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    Passed passed = pass(function.parameters[i], i + 1, takes_view[i], index);
    declarations.push_back(std::move(passed.declaration));
    expressions.push_back(std::move(passed.expression));
  }
  if (function.returns_something())
    declarations.push_back(fmt::format("mylos::Array<{}, 1> {}", function.result, result));
  declarations.push_back("long long " + indices);
  const std::string assignment = function.returns_something() ? fmt::format("{}({}) = ", result, index) : "";
  return fmt::format(
      "#include <mylos/device/array.hpp>\n#include <mylos/device/index.hpp>\n{}"
      "extern \"C\" __global__ void {}({}) {{\n  MYLOS_THREAD_1D({}, {});\n  {}::{}({});\n}}\n",
      definition_in(header), kernel_name(function), fmt::join(declarations, ", "), index, indices, assignment,
      function.name, fmt::join(expressions, ", "));
}

}  // namespace detail

struct DeviceFunction::State {
  State(std::string_view definition, std::string_view declaration, CudaOptions settings)
      : header(definition),
        prototype(declaration),
        function(jit::parse_function(declaration)),
        options(std::move(settings)) {}

  const std::string header, prototype;
  const FunctionDeclaration function;
  const CudaOptions options;
  std::mutex mutex;
  std::map<std::vector<bool>, CudaKernel> kernels;  // by which parameters take a View

  /// One for each parameter, and the result.
  [[nodiscard]] std::size_t argument_count() const {
    return function.parameters.size() + (function.returns_something() ? 1 : 0);
  }
  /// The number of indices, where that is one more argument.
  [[nodiscard]] std::optional<std::int64_t> count_in(const Arguments& arguments) const {
    if (arguments.size() != argument_count() + 1) return std::nullopt;
    return integer_of(arguments[argument_count()]);
  }

  const CudaKernel& kernel(const std::vector<bool>& takes_view) {
    const std::lock_guard lock(mutex);
    const auto known = kernels.find(takes_view);
    if (known != kernels.end()) return known->second;
    CudaKernel made(detail::text_around(header, function, takes_view), kernel_name(function), options);
    return kernels.emplace(takes_view, std::move(made)).first->second;
  }

  void require_count(const Arguments& arguments) const {
    if (arguments.size() == argument_count() || count_in(arguments)) return;
    throw SignatureError(fmt::format(
        "device function '{}': {} argument{} given, it takes {}: one for each parameter{}: pass a View or a value for "
        "each of them",
        prototype, arguments.size(), arguments.size() == 1 ? "" : "s", argument_count(),
        function.returns_something() ? ", then a View for the results" : ""));
  }
  void require_views_for_what_is_written(const Arguments& arguments) const {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      if (!function.parameters[i].may_be_written || arguments[i].type->is_view) continue;
      throw SignatureError(
          fmt::format("device function '{}': argument {} is a value, and the function may write its parameter '{}': "
                      "nobody would see what it writes: pass a View, or write const in the prototype where that does "
                      "not matter",
                      prototype, i + 1, function.parameters[i].declaration));
    }
  }
  /// The places of the arguments whose elements are taken by index.
  [[nodiscard]] std::vector<std::size_t> taken_by_index(const Arguments& arguments) const {
    std::vector<std::size_t> places;
    const auto add = [&](std::size_t place) {
      if (arguments[place].type->rank == 1) places.push_back(place);  // others are refused when types are compared
    };
    if (function.returns_something()) add(function.parameters.size());  // first: it has one for each
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      if (is_value(function.parameters[i])) add(i);
    }
    return places;
  }
};

DeviceFunction::DeviceFunction(std::shared_ptr<State> state) : state_(std::move(state)) {}

const FunctionDeclaration& DeviceFunction::declaration() const { return state_->function; }

DeviceFunction::Indices DeviceFunction::indices_of(const Launch& settings, const Arguments& arguments) const {
  state_->require_count(arguments);
  state_->require_views_for_what_is_written(arguments);
  const std::vector<std::size_t> places = state_->taken_by_index(arguments);
  const std::optional<std::int64_t> count = state_->count_in(arguments);
  const bool given = count || settings.threads.given();
  if (settings.threads.rank > 1) {
    throw LaunchError(
        fmt::format("device function '{}': threads {} have {} axes: it is called for each of n indices: "
                    "give one number: f({{.threads = n}}, ...)",
                    state_->prototype, to_string(settings.threads), settings.threads.rank));
  }
  if (!given && places.empty()) {
    throw LaunchError(
        fmt::format("device function '{}': it is not known how often it shall be called: no argument is a View of one "
                    "element for each index: say it: f({{.threads = n}}, ...)",
                    state_->prototype));
  }
  const std::int64_t indices = count ? *count : given ? settings.threads.x : arguments[places.front()].extent(0);
  for (const std::size_t place : places) {
    const std::int64_t elements = arguments[place].extent(0);
    if (given ? elements >= indices : elements == indices) continue;
    throw ShapeError(fmt::format(
        "device function '{}': argument {}, '{}', has {} elements, and there are {} indices: each takes one element: "
        "pass Views of equal extents, or say for how many: f({{.threads = n}}, ...)",
        state_->prototype, place + 1, arguments[place].label(), elements, indices));
  }
  return {indices, count.has_value()};
}

void DeviceFunction::launch(const Launch& settings, const Indices& indices, const Arguments& arguments) const {
  std::vector<bool> takes_view;
  takes_view.reserve(state_->function.parameters.size());
  for (std::size_t i = 0; i < state_->function.parameters.size(); ++i) {
    takes_view.push_back(arguments[i].type->is_view);
  }
  Launch with_threads = settings;
  if (!settings.threads.given()) with_threads.threads = indices.count;
  state_->kernel(takes_view).launch(with_threads, arguments);
}

DeviceFunction device_function(std::string_view header, std::string_view prototype, CudaOptions options) {
  return DeviceFunction(std::make_shared<DeviceFunction::State>(header, prototype, std::move(options)));
}

}  // namespace mylos::inline MYLOS_ABI::testing
