// SPDX-License-Identifier: MIT
#include "emulator/model/kernel_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <stdexcept>

namespace mylos_test::model {
namespace {

constexpr std::array type_names = {"unsigned", "int", "unsigned long long", "float", "double"};
std::string name_of(Type type) { return type_names.at(static_cast<std::size_t>(type)); }

constexpr std::array function_names = {
    "",
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "atomicExch",
    "atomicCAS",
    "atomicInc",
    "atomicDec",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__any_sync",
    "__all_sync",
    "__ballot_sync",
    "__match_any_sync",
    "__reduce_add_sync",
    "__reduce_min_sync",
    "__reduce_max_sync",
    "__reduce_and_sync",
    "__reduce_or_sync",
    "__reduce_xor_sync",
    "__syncthreads_count",
    "__syncthreads_and",
    "__syncthreads_or",
};
std::string name_of(Function function) { return function_names.at(static_cast<std::size_t>(function)); }

std::string hexadecimal(double value) {
  std::array<char, 40> text = {};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

std::string literal(Type type, Bits value) {
  const auto low = static_cast<std::uint32_t>(value);
  switch (type) {
    case Type::u32: return std::to_string(low) + 'u';
    case Type::i32: return "int(" + std::to_string(low) + "u)";
    case Type::u64: return std::to_string(value) + "ull";
    case Type::f32: return hexadecimal(std::bit_cast<float>(low)) + 'f';
    case Type::f64: return hexadecimal(std::bit_cast<double>(value));
  }
  throw std::logic_error("a type without literals");
}

std::string text_of(const Expression& expression);

std::string infix(const Node& node, const char* sign) {
  return '(' + text_of(node.of[0]) + ' ' + sign + ' ' + text_of(node.of[1]) + ')';
}

std::string shift(const Node& node, const char* sign) {
  const char* const mask = node.type == Type::u64 ? "63" : "31";
  return '(' + text_of(node.of[0]) + ' ' + sign + " (" + text_of(node.of[1]) + " & " + mask + "))";
}

std::string call(const std::string& function, const std::vector<Expression>& of) {
  std::string text = function + '(';
  for (const Expression& operand : of) text += (&operand == of.data() ? "" : ", ") + text_of(operand);
  return text + ')';
}

/// Functions of integers have two names, one for each width.
std::string bits_call(const Node& node, const std::string& function) {
  return "unsigned(" + call(node.of[0].type() == Type::u64 ? function + "ll" : function, node.of) + ')';
}

std::string leaf(const Node& node) {
  switch (node.op) {
    case Op::constant: return literal(node.type, node.value);
    case Op::local: return 'v' + std::to_string(node.value);
    case Op::thread: return "t";
    case Op::block: return "b";
    case Op::threads: return "n";
    case Op::blocks: return "g";
    case Op::argument: return "p";
    default: throw std::logic_error("an operation without text");
  }
}

std::string text_of(const Expression& expression) {
  const Node& node = expression.node();
  switch (node.op) {
    case Op::add: return infix(node, "+");
    case Op::subtract: return infix(node, "-");
    case Op::multiply: return infix(node, "*");
    case Op::divide: return infix(node, "/");
    case Op::remainder: return infix(node, "%");
    case Op::bit_and: return infix(node, "&");
    case Op::bit_or: return infix(node, "|");
    case Op::bit_xor: return infix(node, "^");
    case Op::shift_left: return shift(node, "<<");
    case Op::shift_right: return shift(node, ">>");
    case Op::minimum: return call("min", node.of);
    case Op::maximum: return call("max", node.of);
    case Op::less: return "unsigned" + infix(node, "<");
    case Op::equal: return "unsigned" + infix(node, "==");
    case Op::count_bits: return bits_call(node, "__popc");
    case Op::leading_zeros: return bits_call(node, "__clz");
    case Op::reverse_bits: return call(node.type == Type::u64 ? "__brevll" : "__brev", node.of);
    case Op::select: return '(' + text_of(node.of[0]) + " ? " + text_of(node.of[1]) + " : " + text_of(node.of[2]) + ')';
    case Op::fused_multiply_add: return call(node.type == Type::f32 ? "fmaf" : "fma", node.of);
    case Op::convert: return "static_cast<" + name_of(node.type) + ">(" + text_of(node.of[0]) + ')';
    default: return leaf(node);
  }
}

/// Writes the lines of one kernel.
class Writer {
 public:
  explicit Writer(const Kernel& kernel) : kernel_(kernel) {}

  std::string body() {
    declare();
    write(kernel_.body);
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + '\n'; }

  void declare() {
    const Shape none = {.blocks = 0};
    unsigned parameter = 0;
    for (const Array& array : kernel_.arrays) {
      const std::string type = name_of(array.type);
      if (array.shared) {
        line("__shared__ " + type + ' ' + array.name + '[' + std::to_string(array.size(none)) + "];");
      } else {
        line(type + "* const " + array.name + " = static_cast<" + type + "*>(a" + std::to_string(parameter++) + ");");
      }
    }
    if (parameter > most_arrays) throw std::logic_error("kernel " + kernel_.name + " has too many arrays");
    for (std::size_t i = 0; i < kernel_.locals.size(); ++i) {
      line(name_of(kernel_.locals[i]) + " v" + std::to_string(i) + " = 0;");
    }
  }

  void write(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) write(statement);
  }

  void write_block(const std::string& head, const std::vector<Statement>& statements) {
    line(head + " {");
    ++depth_;
    write(statements);
    --depth_;
    line("}");
  }

  [[nodiscard]] std::string element(const Statement& statement) const {
    return kernel_.arrays.at(statement.array).name + '[' + text_of(statement.index) + ']';
  }

  static std::string assignment(const Statement& statement) {
    return statement.local == no_local ? "" : 'v' + std::to_string(statement.local) + " = ";
  }

  [[nodiscard]] std::string atomic(const Statement& statement) const {
    const std::string expected = statement.other.given() ? text_of(statement.other) + ", " : "";
    return name_of(statement.function) + "(&" + element(statement) + ", " + expected + text_of(statement.value) + ')';
  }

  static std::string warp(const Statement& statement) {
    std::vector<Expression> operands = {statement.mask, statement.value};
    if (is_shuffle(statement.function)) {
      operands.push_back(statement.other);
      operands.emplace_back(statement.width);
    }
    return call(name_of(statement.function), operands);
  }

  static std::string barrier(const Statement& statement) {
    return statement.function == Function::none ? "__syncthreads()"
                                                : call(name_of(statement.function), {statement.value});
  }

  void write(const Statement& statement) {
    switch (statement.does) {
      case Does::assign: return line(assignment(statement) + text_of(statement.value) + ';');
      case Does::load: return line(assignment(statement) + element(statement) + ';');
      case Does::store: return line(element(statement) + " = " + text_of(statement.value) + ';');
      case Does::atomic: return line(assignment(statement) + atomic(statement) + ';');
      case Does::barrier: return line(assignment(statement) + barrier(statement) + ';');
      case Does::syncwarp: return line("__syncwarp(" + text_of(statement.mask) + ");");
      case Does::fence: return line("__threadfence();");
      case Does::warp: return line(assignment(statement) + warp(statement) + ';');
      case Does::leave: return line("return;");
      case Does::repeat: return write_block("while (" + text_of(statement.value) + ')', statement.then);
      case Does::branch:
        write_block("if (" + text_of(statement.value) + ')', statement.then);
        if (!statement.otherwise.empty()) write_block("else", statement.otherwise);
    }
  }

  const Kernel& kernel_;
  std::string text_;
  std::size_t depth_ = 1;
};

/// Whether threads wait for each other somewhere.
bool waits(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& statement) {
    const bool here =
        statement.does == Does::barrier || statement.does == Does::syncwarp || statement.does == Does::warp;
    return here || waits(statement.then) || waits(statement.otherwise);
  });
}

/// ", a0, a1, ..." with what stands in front of each name.
std::string array_list(const std::string& before) {
  std::string text;
  for (unsigned i = 0; i < most_arrays; ++i) text += ", " + before + 'a' + std::to_string(i);
  return text;
}

}  // namespace

std::string text_of(const Kernel& kernel, const std::string& function) {
  // Long functions take long to compile: once is enough, where no loop over threads is made of them.
  const std::string once = waits(kernel.body) ? "__noinline__ " : "";
  return "// " + kernel.name + '\n' + once + "__device__ void " + function +
         "(unsigned t, unsigned b, unsigned n, unsigned g, unsigned p" + array_list("void* ") + ") {\n" +
         Writer(kernel).body() + "}\n";
}

std::string text_of(std::span<const Kernel> kernels) {
  std::string functions;
  std::string calls;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string function = "kernel_" + std::to_string(i);
    functions += text_of(kernels[i], function);
    calls += "  if (which == " + std::to_string(i) + ") " + function + "(t, b, n, g, p" + array_list("") + ");\n";
  }
  return functions + "extern \"C\" __global__ void batch(unsigned which, unsigned p" + array_list("void* ") + ") {\n" +
         "  unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
         "  unsigned n = blockDim.x * blockDim.y * blockDim.z;\n"
         "  unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
         "  unsigned g = gridDim.x * gridDim.y * gridDim.z;\n" +
         calls + "}\n";
}

}  // namespace mylos_test::model
