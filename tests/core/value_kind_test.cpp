// SPDX-License-Identifier: MIT
#include <mylos/core/value_kind.hpp>

#include <complex>
#include <cstdint>
#include <set>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "core/visit_value.hpp"

namespace mylos_test {
namespace {

using mylos::ValueKind;

enum class Colour : unsigned short { red };
struct Particle { double x[3]; };

template <class T>
constexpr ValueKind kind = mylos::detail::value_kind<T>();

static_assert(kind<bool> == ValueKind::boolean);
static_assert(kind<long> == ValueKind::int64 && kind<long long> == ValueKind::int64);
static_assert(kind<std::size_t> == ValueKind::uint64 && kind<unsigned long long> == ValueKind::uint64);
static_assert(kind<signed char> == ValueKind::int8 && kind<unsigned char> == ValueKind::uint8);
static_assert(kind<char32_t> == ValueKind::uint32);
static_assert(kind<Colour> == ValueKind::uint16);
static_assert(kind<std::complex<double>> == ValueKind::complex128);
static_assert(kind<Kokkos::complex<float>> == ValueKind::complex64);
static_assert(kind<mylos::complex<double>> == ValueKind::complex128);
static_assert(kind<mylos::complex<float>> == ValueKind::complex64);
static_assert(kind<std::complex<long double>> == ValueKind::other && kind<long double> == ValueKind::other);
static_assert(kind<Particle> == ValueKind::other && kind<double*> == ValueKind::other);

TEST(ValueKind, AVisitGivesTheTypeWhoseKindItIs) {
  std::set<std::string_view> names;
  for (int number = 0; number <= static_cast<int>(ValueKind::other); ++number) {
    const auto asked = static_cast<ValueKind>(number);
    names.insert(to_string(asked));
    const bool visited = mylos::detail::visit_type(asked, [&]<class T>(std::type_identity<T>) {
      EXPECT_EQ(kind<T>, asked) << to_string(asked);
      EXPECT_EQ(sizeof(T), mylos::detail::size_of(asked)) << to_string(asked);
    });
    EXPECT_EQ(visited, asked != ValueKind::float16 && asked != ValueKind::other) << to_string(asked);
  }
  EXPECT_EQ(names.size(), 15U) << "each has a name of its own";
}

TEST(ValueKind, NamesAreNumPys) {
  EXPECT_EQ(to_string(kind<bool>), "bool");
  EXPECT_EQ(to_string(kind<int>), "int32");
  EXPECT_EQ(to_string(kind<std::uint8_t>), "uint8");
  EXPECT_EQ(to_string(kind<double>), "float64");
  EXPECT_EQ(to_string(kind<Kokkos::complex<double>>), "complex128");
  EXPECT_EQ(to_string(kind<Particle>), "other");
}

TEST(ValueKind, AValueIsReadFromAnyAddress) {
  alignas(double) std::byte bytes[sizeof(double) + 1] = {};
  const double value = -1.5;
  std::memcpy(bytes + 1, &value, sizeof value);
  EXPECT_EQ(mylos::detail::value_at<double>(bytes + 1), value);
}

}  // namespace
}  // namespace mylos_test
