// SPDX-License-Identifier: MIT
// How kernel texts of typed tests name their type.
#pragma once

#include <mylos/device/complex.hpp>

namespace mylos_test {

template <class T>
inline constexpr const char* type_name = nullptr;
template <>
inline constexpr const char* type_name<int> = "int";
template <>
inline constexpr const char* type_name<unsigned> = "unsigned";
template <>
inline constexpr const char* type_name<long> = "long";
template <>
inline constexpr const char* type_name<unsigned long> = "unsigned long";
template <>
inline constexpr const char* type_name<long long> = "long long";
template <>
inline constexpr const char* type_name<unsigned long long> = "unsigned long long";
template <>
inline constexpr const char* type_name<float> = "float";
template <>
inline constexpr const char* type_name<double> = "double";
template <>
inline constexpr const char* type_name<mylos::complex<double>> = "mylos::complex<double>";

}  // namespace mylos_test
