// SPDX-License-Identifier: MIT
// Writes the file that h5py_test.py looks at: write_sample <path>.
#include <cstdint>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/hdf5/file.hpp>

namespace mylos_test {
namespace {

template <class T, class Layout>
void write_matrix(mylos::hdf5::File& file, const char* name, const Layout& layout) {
  const Kokkos::View<T**, Layout, Kokkos::HostSpace> view("view", layout);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) view(i, j) = static_cast<T>(10 * i + j);
  }
  file.write(name, view);
}

void write_sample(const char* path) {
  mylos::hdf5::File file(path, mylos::hdf5::Mode::create);
  write_matrix<double>(file, "layouts/left", Kokkos::LayoutLeft(2, 3));
  write_matrix<double>(file, "layouts/right", Kokkos::LayoutRight(2, 3));
  write_matrix<double>(file, "layouts/stride", Kokkos::LayoutStride(2, 5, 3, 12));
  write_matrix<std::int8_t>(file, "types/int8", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::int16_t>(file, "types/int16", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::int32_t>(file, "types/int32", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::int64_t>(file, "types/int64", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::uint8_t>(file, "types/uint8", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::uint16_t>(file, "types/uint16", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::uint32_t>(file, "types/uint32", Kokkos::LayoutLeft(2, 3));
  write_matrix<std::uint64_t>(file, "types/uint64", Kokkos::LayoutLeft(2, 3));
  write_matrix<float>(file, "types/float32", Kokkos::LayoutLeft(2, 3));
  write_matrix<double>(file, "types/float64", Kokkos::LayoutLeft(2, 3));
  write_matrix<bool>(file, "types/bool", Kokkos::LayoutLeft(2, 3));
  write_matrix<Kokkos::complex<float>>(file, "types/complex64", Kokkos::LayoutLeft(2, 3));
  write_matrix<Kokkos::complex<double>>(file, "types/complex128", Kokkos::LayoutLeft(2, 3));

  const Kokkos::View<double, Kokkos::HostSpace> scalar("scalar");
  scalar() = 1.5;
  file.write("scalar", scalar);
  for (int i = 0; i < 5; ++i) file.append("series", 0.5 * i);
  file.attribute("series", "unit", "m/s \xC2\xB5");
  file.attribute("/", "steps", std::int64_t{1} << 40);
  file.attribute("/", "spacing", std::vector<double>{0.5, 0.25});
  file.attribute("/", "periodic", true);
}

}  // namespace
}  // namespace mylos_test

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc != 2) return 2;
  mylos_test::write_sample(argv[1]);
  return 0;
}
