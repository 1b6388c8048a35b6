// SPDX-License-Identifier: MIT
// Tables of expressions: each row is one in a kernel and what it must give.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/both_compilers.hpp"
#include "emulator/support.hpp"

namespace mylos_test {

/// Where expressions stand: of arguments and results of a type, behind some lines, compiled with options.
struct ExpressionKernel {
  std::string name;
  std::string type;
  std::string before = {};
  std::vector<std::string> options = {};
};

inline std::string text_of(const ExpressionKernel& kernel, const std::vector<std::string>& expressions) {
  const std::string& type = kernel.type;
  std::string text = kernel.before + "__global__ void " + kernel.name + "(const " + type + "* xs, const " + type +
                     "* ys, " + type + "* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                     "  if (i >= n) return;\n  " + type + " x = xs[i], y = ys[i];\n";
  for (std::size_t row = 0; row < expressions.size(); ++row) {
    text += "  out[" + std::to_string(row) + " * n + i] = " + expressions[row] + ";\n";
  }
  return text + "}\n";
}

/// Evaluates all expressions for one pair of arguments x, y per thread: result[row * n + i].
template <class T>
std::vector<T> evaluate(const ExpressionKernel& kernel, const std::vector<std::string>& expressions,
                        const std::vector<T>& x, const std::vector<T>& y) {
  const auto program =
      compile_by_both({.text = text_of(kernel, expressions), .name = kernel.name, .options = kernel.options});
  const DeviceArray<T> dx(x);
  const DeviceArray<T> dy(y);
  const DeviceArray<T> out(x.size() * expressions.size());
  const auto blocks = static_cast<std::uint32_t>((x.size() + 63) / 64);
  run(*program, {.grid = {blocks, 1, 1}, .block = {64, 1, 1}}, static_cast<const T*>(dx.data()),
      static_cast<const T*>(dy.data()), out.data(), static_cast<int>(x.size()));
  return out.read();
}

template <class T>
struct Row {
  std::string expression;
  std::function<T(T, T)> reference;
};

template <class T, class Same>
void expect_rows(const ExpressionKernel& kernel, const std::vector<Row<T>>& rows, const std::vector<T>& x,
                 const std::vector<T>& y, Same same) {
  std::vector<std::string> expressions;
  for (const auto& row : rows) expressions.push_back(row.expression);
  const std::vector<T> values = evaluate(kernel, expressions, x, y);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T expected = rows[row].reference(x[i], y[i]);
      ASSERT_TRUE(same(values[row * x.size() + i], expected))
          << rows[row].expression << " for x = " << x[i] << ", y = " << y[i] << " gives " << values[row * x.size() + i]
          << ", expected " << expected;
    }
  }
}

/// Equal but for some units in the last place; NaN equals NaN.
template <class T>
bool nearly(T a, T b, int units = 4) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  return std::abs(a - b) <= units * std::numeric_limits<T>::epsilon() * std::max(std::abs(a), std::abs(b));
}

}  // namespace mylos_test
