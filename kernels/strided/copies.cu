// SPDX-License-Identifier: MIT
// What the driver's copies and fills cannot do: any strides, with conversion of numbers.

// The loops over both sides, strides in bytes; the last axis is the innermost one.
struct Walk {
  long long size, axes;
  long long extent[9], to[9], from[9];
};

// The bytes of one element, or of a part of it.
struct Pattern { alignas(8) char bytes[256]; };

// What a number is; its size in bytes tells the rest.
enum Category { boolean, signed_integer, unsigned_integer, floating, complex_number };

struct Number { int category, bytes; };

// Calls work(offset, offset) for each element: neighbouring threads have neighbouring elements of the destination.
template <class Work>
__device__ void walk_over(const Walk& walk, const Work& work) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long n = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; n < walk.size; n += step) {
    long long rest = n, to = 0, from = 0;
    for (int axis = static_cast<int>(walk.axes) - 1; axis > 0; --axis) {
      const long long outer = rest / walk.extent[axis], index = rest - outer * walk.extent[axis];
      to += index * walk.to[axis];
      from += index * walk.from[axis];
      rest = outer;
    }
    work(to + rest * walk.to[0], from + rest * walk.from[0]);
  }
}

template <class Unit>
__device__ void copy_units(char* to, const char* from, const Walk& walk) {
  walk_over(walk, [&](long long t, long long f) {
    *reinterpret_cast<Unit*>(to + t) = *reinterpret_cast<const Unit*>(from + f);
  });
}

// A number that holds any of its category exactly.
struct Value {
  int category;
  long long integer;
  unsigned long long natural;
  double real, imaginary;
};

template <class T>
__device__ T load(const char* from) {
  return *reinterpret_cast<const T*>(from);
}

__device__ long long load_signed(const char* from, int bytes) {
  switch (bytes) {
    case 1: return load<signed char>(from);
    case 2: return load<short>(from);
    case 4: return load<int>(from);
    default: return load<long long>(from);
  }
}

__device__ unsigned long long load_unsigned(const char* from, int bytes) {
  switch (bytes) {
    case 1: return load<unsigned char>(from);
    case 2: return load<unsigned short>(from);
    case 4: return load<unsigned>(from);
    default: return load<unsigned long long>(from);
  }
}

__device__ double load_real(const char* from, int bytes) { return bytes == 4 ? load<float>(from) : load<double>(from); }

__device__ Value load_value(const char* from, Number number) {
  Value value = {number.category, 0, 0, 0.0, 0.0};
  switch (number.category) {
    case signed_integer: value.integer = load_signed(from, number.bytes); break;
    case floating: value.real = load_real(from, number.bytes); break;
    case complex_number:
      value.real = load_real(from, number.bytes / 2);
      value.imaginary = load_real(from + number.bytes / 2, number.bytes / 2);
      break;
    default: value.natural = load_unsigned(from, number.bytes); break;
  }
  return value;
}

template <class T>
__device__ T as(const Value& value) {
  switch (value.category) {
    case signed_integer: return static_cast<T>(value.integer);
    case floating:
    case complex_number: return static_cast<T>(value.real);
    default: return static_cast<T>(value.natural);
  }
}

template <class T>
__device__ void store(char* to, const Value& value) {
  *reinterpret_cast<T*>(to) = as<T>(value);
}

__device__ void store_signed(char* to, int bytes, const Value& value) {
  switch (bytes) {
    case 1: return store<signed char>(to, value);
    case 2: return store<short>(to, value);
    case 4: return store<int>(to, value);
    default: return store<long long>(to, value);
  }
}

__device__ void store_unsigned(char* to, int bytes, const Value& value) {
  switch (bytes) {
    case 1: return store<unsigned char>(to, value);
    case 2: return store<unsigned short>(to, value);
    case 4: return store<unsigned>(to, value);
    default: return store<unsigned long long>(to, value);
  }
}

__device__ void store_real(char* to, int bytes, const Value& value) {
  if (bytes == 4) return store<float>(to, value);
  store<double>(to, value);
}

__device__ void store_value(char* to, Number number, const Value& value) {
  switch (number.category) {
    case boolean: return store<bool>(to, value);
    case signed_integer: return store_signed(to, number.bytes, value);
    case unsigned_integer: return store_unsigned(to, number.bytes, value);
    case floating: return store_real(to, number.bytes, value);
    default: break;
  }
  store_real(to, number.bytes / 2, value);
  store_real(to + number.bytes / 2, number.bytes / 2, {floating, 0, 0, value.imaginary, 0.0});
}

extern "C" {

__global__ void mylos_copy_1(char* to, const char* from, Walk walk) { copy_units<unsigned char>(to, from, walk); }
__global__ void mylos_copy_2(char* to, const char* from, Walk walk) { copy_units<unsigned short>(to, from, walk); }
__global__ void mylos_copy_4(char* to, const char* from, Walk walk) { copy_units<unsigned>(to, from, walk); }
__global__ void mylos_copy_8(char* to, const char* from, Walk walk) { copy_units<unsigned long long>(to, from, walk); }

__global__ void mylos_fill_1(char* to, Walk walk, Pattern pattern) {
  copy_units<unsigned char>(to, pattern.bytes, walk);
}
__global__ void mylos_fill_2(char* to, Walk walk, Pattern pattern) {
  copy_units<unsigned short>(to, pattern.bytes, walk);
}
__global__ void mylos_fill_4(char* to, Walk walk, Pattern pattern) { copy_units<unsigned>(to, pattern.bytes, walk); }
__global__ void mylos_fill_8(char* to, Walk walk, Pattern pattern) {
  copy_units<unsigned long long>(to, pattern.bytes, walk);
}

__global__ void mylos_convert(char* to, const char* from, Walk walk, Number destination, Number source) {
  walk_over(walk, [&](long long t, long long f) { store_value(to + t, destination, load_value(from + f, source)); });
}

}  // extern "C"
