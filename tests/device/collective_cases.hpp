// SPDX-License-Identifier: MIT
// Shapes, values and plain references for reductions and scans.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/device/complex.hpp>
#include <mylos/device/platform.hpp>
#include <mylos/emulator/launch.hpp>

#include "device/emulated.hpp"
#include "device/type_name.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {

// Functions x -> a x + b, whose composition is associative and not commutative. One text for the host and for kernels.
#define MYLOS_AFFINE(function)                                                                    \
  struct Affine {                                                                                 \
    unsigned a, b;                                                                                \
    function friend bool operator==(Affine f, Affine g) { return f.a == g.a && f.b == g.b; }      \
  };                                                                                              \
  struct Compose {                                                                                \
    function Affine operator()(Affine f, Affine g) const { return {f.a * g.a, f.a * g.b + f.b}; } \
  };
#define MYLOS_TEXT_OF(...) #__VA_ARGS__
#define MYLOS_TEXT(...) MYLOS_TEXT_OF(__VA_ARGS__)
MYLOS_AFFINE()
inline const std::string affine_text = MYLOS_TEXT(MYLOS_AFFINE(__device__));

template <>
inline constexpr const char* type_name<Affine> = "Affine";

using CollectiveTypes = ::testing::Types<int, unsigned, long long, float, double, mylos::complex<double>, Affine>;

/// Values whose sums are exact in any order.
template <class T, class Random>
T whole_value(Random& random) {
  const auto whole = [&random] { return static_cast<int>(random() % 2001) - 1000; };
  if constexpr (std::is_same_v<T, Affine>) {
    return {static_cast<unsigned>(random()), static_cast<unsigned>(random())};
  } else if constexpr (std::is_same_v<T, mylos::complex<double>>) {
    return {static_cast<double>(whole()), static_cast<double>(whole())};
  } else if constexpr (std::is_same_v<T, long long>) {
    return static_cast<long long>(random() >> 16U);
  } else {
    return static_cast<T>(whole());
  }
}

template <class T, class Random>
std::vector<T> whole_values(std::size_t count, Random& random) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(whole_value<T>(random));
  return values;
}

/// Numbers of very different size, whose sum depends on the order.
inline std::vector<double> rough_values(std::size_t count) {
  std::mt19937_64 random(random_seed());
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), static_cast<int>(random() % 60)));
  }
  return values;
}

/// Neighbours first, within warps, and warp after warp: what reduce.hpp promises.
template <class T, class Operation>
T in_promised_order(const T* values, std::size_t count, Operation operation) {
  if (count == 1) return *values;
  std::size_t left = 32;
  if (count <= 32) {
    left = 1;
    while (2 * left < count) left *= 2;
  } else {
    left = (count - 1) / 32 * 32;
  }
  const T first = in_promised_order(values, left, operation);
  return operation(first, in_promised_order(values + left, count - left, operation));
}

template <class T, class Operation>
std::vector<T> inclusive_scan_of(const std::vector<T>& values, Operation operation) {
  std::vector<T> results;
  for (const T& value : values) results.push_back(results.empty() ? value : operation(results.back(), value));
  return results;
}

struct Shape {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::size_t size() const { return std::size_t{x} * y * z; }
};

/// What the kernel k(in, a, b, c) of the text writes: a, b and c, each as long as the values, in blocks of this shape.
template <class T>
std::array<std::vector<T>, 3> emulated_collective(const std::string& text, const std::vector<T>& values, Shape block) {
  const DeviceVector<T> in(values), a(values), b(values), c(values);
  const auto blocks = static_cast<std::uint32_t>(values.size() / block.size());
  run_emulated(text, "k", {.grid = {blocks, 1, 1}, .block = {block.x, block.y, block.z}},
               static_cast<const T*>(in.data()), a.data(), b.data(), c.data());
  return {a.values(), b.values(), c.values()};
}

template <class T>
std::vector<T> of_lanes(const std::vector<T>& values, unsigned mask) {
  std::vector<T> chosen;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    if ((mask >> lane & 1U) != 0) chosen.push_back(values[lane]);
  }
  return chosen;
}

/// What the kernel w(in, out, mask) of the text writes for the lanes of the mask, in one warp.
template <class T>
std::vector<T> emulated_in_warp(const std::string& text, const std::vector<T>& values, unsigned mask) {
  const DeviceVector<T> in(values), out(values);
  run_emulated(text, "w", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, static_cast<const T*>(in.data()), out.data(), mask);
  return of_lanes(out.values(), mask);
}

/// Warps that are whole, not whole and nearly empty; 1 to 3 dimensions; and some at random: `count` with at most `most`
/// threads.
template <class Random>
std::vector<Shape> block_shapes(std::size_t most, std::size_t count, Random& random) {
  std::vector<Shape> shapes;
  for (const Shape& shape : {Shape{1},
                             {17},
                             {32},
                             {33},
                             {7, 5},
                             {3, 4, 3},
                             {1, 1, 63},
                             {64},
                             {31},
                             {127},
                             {128},
                             {1024},
                             {1, 33},
                             {16, 16, 4}}) {
    if (shape.size() <= most) shapes.push_back(shape);
  }
  while (shapes.size() < count) {
    const auto extent = [&random] { return static_cast<std::uint32_t>(1 + random() % 40); };
    const Shape shape{extent(), extent(), 1 + extent() % 4};
    if (shape.size() <= most) shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace mylos_test
