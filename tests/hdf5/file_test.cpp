// SPDX-License-Identifier: MIT
#include <mylos/hdf5/file.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace hdf5 = mylos::hdf5;
using hdf5::File;
using hdf5::Mode;
using Random = std::mt19937_64;

// The n-th of a row of values that are all different where the type allows it.
template <class T>
T value_of(std::uint64_t n) {
  if constexpr (std::is_same_v<T, bool>) {
    return n % 3 == 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(n * 0x9E3779B97F4A7C15ULL);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(n) / 7;
  } else {
    return T(value_of<typename T::value_type>(n), -value_of<typename T::value_type>(n + 1));
  }
}

// view(index[0], ..., index[R - 1])
template <class V>
decltype(auto) element(const V& view, const std::array<std::int64_t, 8>& index) {
  return [&]<std::size_t... D>(std::index_sequence<D...>) -> decltype(auto) {
    return view(index[D]...);
  }(std::make_index_sequence<V::rank()>());
}

// Calls f(index, row-major number) for every index of the View.
template <class V, class F>
void for_each_index(const V& view, F&& f) {
  for (std::uint64_t n = 0; n < view.size(); ++n) {
    std::array<std::int64_t, 8> index{};
    std::uint64_t rest = n;
    for (std::size_t d = V::rank(); d-- > 0; rest /= view.extent(d)) {
      index[d] = static_cast<std::int64_t>(rest % view.extent(d));
    }
    f(index, n);
  }
}

template <class V>
void fill(const V& view) {
  for_each_index(view, [&](const auto& index, auto n) { element(view, index) = value_of<typename V::value_type>(n); });
}

template <class V>
bool holds_the_values(const V& view) {
  bool same = true;
  for_each_index(view, [&](const auto& index, auto n) {
    same = same && element(view, index) == value_of<typename V::non_const_value_type>(n);
  });
  return same;
}

template <class T, int R, class Layout>
using Array = Kokkos::View<typename mylos::detail::Pointers<T, R>::type, Layout, Kokkos::HostSpace>;

// A new View of these extents; with LayoutStride the axes are in random order in memory, with gaps between elements.
template <class T, int R, class Layout>
Array<T, R, Layout> make_array(const std::vector<std::int64_t>& extents, Random& random) {
  Layout layout;
  for (std::size_t d = 0; d < R; ++d) layout.dimension[d] = static_cast<std::size_t>(extents[d]);
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
    std::array<std::size_t, 8> order{};
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.begin() + R, random);
    std::size_t stride = 1 + random() % 2;
    for (std::size_t d = 0; d < R; ++d) {
      layout.stride[order[d]] = stride;
      stride *= std::max<std::size_t>(1, layout.dimension[order[d]]) + random() % 2;
    }
  }
  return Array<T, R, Layout>("array", layout);
}

class Hdf5File : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "file.h5";
  Random random_{random_seed()};

  template <int R>
  std::vector<std::int64_t> random_extents() {
    std::vector<std::int64_t> extents(R);
    for (auto& extent : extents) extent = static_cast<std::int64_t>(random_() % 5);
    if (random_() % 4 != 0)
      std::ranges::transform(extents, extents.begin(), [](auto e) { return std::max<int>(1, e); });
    return extents;
  }

  // Writes from one layout, reads into another and into a new View.
  template <class T, int R, class Written, class Read>
  void round_trip(const hdf5::WriteOptions& write = {}, const hdf5::ReadOptions& read = {}) {
    const auto extents = random_extents<R>();
    const auto written = make_array<T, R, Written>(extents, random_);
    fill(written);
    const Array<const T, R, Written> constant = written;
    File(path_, Mode::replace).write("a", constant, write);

    const File file(path_, Mode::read);
    EXPECT_EQ(file.extents("a"), extents);
    const auto there = make_array<T, R, Read>(extents, random_);
    file.read("a", there, read);
    EXPECT_TRUE(holds_the_values(there));
    EXPECT_TRUE(holds_the_values((file.read<T, R>("a"))));
  }

  template <class T, int R>
  void all_layouts() {
    using Left = Kokkos::LayoutLeft;
    using Right = Kokkos::LayoutRight;
    using Stride = Kokkos::LayoutStride;
    round_trip<T, R, Right, Left>();
    round_trip<T, R, Left, Right>();
    round_trip<T, R, Left, Stride>();
    // Slabs of a few elements: every way to cut an array is taken.
    const std::size_t bytes = (1 + random_() % 20) * sizeof(T);
    round_trip<T, R, Stride, Stride>({.slab_bytes = bytes}, {.slab_bytes = bytes});
  }
};

TEST_F(Hdf5File, EveryRankInEveryLayout) {
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (all_layouts<double, static_cast<int>(R)>(), ...);
  }(std::make_index_sequence<9>());
}

template <class T>
class Hdf5Elements : public Hdf5File {};
using Elements = ::testing::Types<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                  unsigned long, long long, unsigned long long, float, double, Kokkos::complex<float>,
                                  Kokkos::complex<double>, std::complex<double>>;
TYPED_TEST_SUITE(Hdf5Elements, Elements);

TYPED_TEST(Hdf5Elements, ComeBackBitForBit) {
  using T = TypeParam;
  for (int i = 0; i < 5; ++i) {
    this->template round_trip<T, 2, Kokkos::LayoutRight, Kokkos::LayoutLeft>();
    this->template round_trip<T, 3, Kokkos::LayoutStride, Kokkos::LayoutRight>();
  }
  this->template round_trip<T, 0, Kokkos::LayoutRight, Kokkos::LayoutRight>();
}

TEST_F(Hdf5File, CompressedAndChunked) {
  for (int level = 0; level < 10; level += 3) {
    this->round_trip<int, 3, Kokkos::LayoutLeft, Kokkos::LayoutRight>({.deflate = level});
    this->round_trip<double, 0, Kokkos::LayoutLeft, Kokkos::LayoutRight>({.deflate = level});
  }
  const Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> view("view", 30, 20);
  fill(view);
  File(path_, Mode::replace).write("a", view, {.deflate = 5, .chunks = {7, 20}});
  const auto there = File(path_, Mode::read).read<float, 2>("a");
  EXPECT_TRUE(holds_the_values(there));
}

// Subviews whose elements are not in a row: writers that look at a pointer and a size take the wrong ones.
TEST_F(Hdf5File, SubviewsAreWhatTheyShow) {
  const Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 2, 3, 4);
  const Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 2, 3, 4);
  const auto check = [&](const auto& sub) {
    fill(sub);
    File(path_, Mode::replace).write("a", sub);
    EXPECT_TRUE(holds_the_values((File(path_, Mode::read).read<double, std::decay_t<decltype(sub)>::rank()>("a"))));
  };
  const auto check_all = [&](const auto& view) {
    check(Kokkos::subview(view, Kokkos::ALL, 1, Kokkos::ALL));
    check(Kokkos::subview(view, 1, Kokkos::ALL, Kokkos::ALL));
    check(Kokkos::subview(view, Kokkos::ALL, Kokkos::ALL, 1));
    check(Kokkos::subview(view, Kokkos::ALL, std::pair(1, 3), std::pair(0, 2)));
    check(Kokkos::subview(view, 1, std::pair(1, 3), 2));
  };
  check_all(right);
  check_all(left);
}

TEST_F(Hdf5File, ReadingLeavesTheNeighboursAlone) {
  const Kokkos::View<int*, Kokkos::HostSpace> two("two", 2);
  fill(two);
  File(path_, Mode::create).write("a", two);
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", 2, 3);
  Kokkos::deep_copy(all, -1);
  File(path_, Mode::read).read("a", Kokkos::subview(all, Kokkos::ALL, 1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(all(i, 0), -1);
    EXPECT_EQ(all(i, 1), two(i));
    EXPECT_EQ(all(i, 2), -1);
  }
}

TEST_F(Hdf5File, LayoutsGiveTheSameBytes) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 4, 7);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 4, 7);
  fill(right);
  fill(left);
  File(folder_ / "right.h5", Mode::create).write("group/a", right);
  File(folder_ / "left.h5", Mode::create).write("group/a", left);
  EXPECT_EQ(mylos::read_file(folder_ / "right.h5"), mylos::read_file(folder_ / "left.h5"));
}

TEST_F(Hdf5File, OverwritesInPlaceWhatFits) {
  const Kokkos::View<int*, Kokkos::HostSpace> view("view", 5);
  File(path_, Mode::create).write("a", view);
  fill(view);
  File(path_, Mode::read_write).write("a", view);
  EXPECT_TRUE(holds_the_values((File(path_, Mode::read).read<int, 1>("a"))));
}

TEST_F(Hdf5File, RowsGrow) {
  const Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> row("row", 2, 3);
  constexpr int rows = 2500;  // more than one chunk
  for (const int first : {0, rows / 2}) {
    File file(path_, Mode::append);
    for (int i = first; i < first + rows / 2; ++i) {
      Kokkos::deep_copy(row, static_cast<float>(i));
      row(1, 2) = -1;
      file.append("series/field", row);
      file.append("series/time", 0.5 * i);
    }
  }
  const File file(path_, Mode::read);
  const auto fields = file.read<float, 3>("series/field");
  const auto times = file.read<double, 1>("series/time");
  ASSERT_EQ(fields.extent(0), rows);
  ASSERT_EQ(times.extent(0), rows);
  for (int i = 0; i < rows; ++i) {
    EXPECT_EQ(times(i), 0.5 * i);
    EXPECT_EQ(fields(i, 1, 1), static_cast<float>(i));
    EXPECT_EQ(fields(i, 1, 2), -1);
  }
}

TEST_F(Hdf5File, EmptyRowsAndArraysHaveTheirShape) {
  const Kokkos::View<int**, Kokkos::HostSpace> empty("empty", 0, 3);
  File file(path_, Mode::create);
  file.write("a", empty);
  file.append("rows", empty);
  EXPECT_EQ(file.extents("a"), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(file.extents("rows"), (std::vector<std::int64_t>{1, 0, 3}));
  EXPECT_EQ((file.read<int, 2>("a").extent(1)), 3U);
}

TEST_F(Hdf5File, AttributesOfNumbersAndTexts) {
  const Kokkos::View<int, Kokkos::HostSpace> scalar("scalar");
  File file(path_, Mode::create);
  file.write("group/a", scalar);
  file.attribute("/", "k", 0.5);
  file.attribute("/", "seed", std::uint64_t{1} << 63);
  file.attribute("group", "mode", Kokkos::complex<double>(1, -2));
  file.attribute("group/a", "unit", "m/s \xC2\xB5");
  file.attribute("group/a", "empty", "");
  file.attribute("group/a", "nothing", std::vector<int>{});
  file.attribute("group/a", "spacing", std::vector<float>{1, 2, 3});
  file.attribute("group/a", "valid", true);
  file.attribute("/", "k", 0.25F);  // replaces, of another type
  file.close();

  const File there(path_, Mode::read);
  EXPECT_EQ(there.attribute<float>("/", "k"), 0.25F);
  EXPECT_EQ(there.attribute<std::uint64_t>("/", "seed"), std::uint64_t{1} << 63);
  EXPECT_EQ(there.attribute<Kokkos::complex<double>>("group", "mode"), Kokkos::complex<double>(1, -2));
  EXPECT_EQ(there.attribute<std::string>("group/a", "unit"), "m/s \xC2\xB5");
  EXPECT_EQ(there.attribute<std::string>("group/a", "empty"), "");
  EXPECT_TRUE(there.attribute<std::vector<int>>("group/a", "nothing").empty());
  EXPECT_EQ(there.attribute<std::vector<float>>("group/a", "spacing"), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(there.attribute<bool>("group/a", "valid"));
  EXPECT_TRUE(there.has_attribute("/", "k"));
  EXPECT_FALSE(there.has_attribute("/", "mode"));
}

TEST_F(Hdf5File, ListsAndFinds) {
  const Kokkos::View<int, Kokkos::HostSpace> scalar("scalar");
  File file(path_, Mode::create);
  for (const char* name : {"b/y", "a", "/b/x", "c/d/e"}) file.write(name, scalar);
  EXPECT_EQ(file.list(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(file.list("b"), (std::vector<std::string>{"x", "y"}));
  for (const char* name : {"a", "/a", "b", "b/", "c//d/e", "/"}) EXPECT_TRUE(file.exists(name)) << name;
  for (const char* name : {"x", "b/z", "a/below", "c/d/e/f"}) EXPECT_FALSE(file.exists(name)) << name;
}

TEST_F(Hdf5File, MovesAndClosesOnce) {
  File first(path_, Mode::create);
  File second = std::move(first);
  second.append("a", 1);
  second = File(folder_ / "other.h5", Mode::create);
  second.close();
  second.close();
  EXPECT_EQ((File(path_, Mode::read).read<int, 1>("a")(0)), 1);
  EXPECT_EQ(folder_.names().size(), 2U);
}

TEST_F(Hdf5File, ReplacedWhileItIsRead) {
  const auto write = [&](int value) { File(path_, Mode::replace).append("a", value); };
  write(1);
  for (int restart = 2; restart < 5; ++restart) {
    const File old(path_, Mode::read);
    write(restart);
    EXPECT_EQ((old.read<int, 1>("a")(0)), restart - 1);
    EXPECT_EQ((File(path_, Mode::read).read<int, 1>("a")(0)), restart);
  }
}

TEST_F(Hdf5File, NewFilesAppearWhenTheyAreWhole) {
  File file(path_, Mode::create);
  file.append("a", 1);
  file.flush();
  EXPECT_FALSE(std::filesystem::exists(path_));
  file.close();
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"file.h5"}));
}

// Files of other programs, made by calls of HDF5.
class ForeignFile {
 public:
  explicit ForeignFile(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;
  ~ForeignFile() { H5Fclose(file_); }

  [[nodiscard]] hid_t id() const { return file_; }
  void write(const char* name, hid_t stored, hid_t memory, const void* values, hsize_t count) const {
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t set = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
    H5Sclose(space);
  }

 private:
  hid_t file_;
};

TEST_F(Hdf5File, ReadsTheOtherByteOrder) {
  const std::array<std::int32_t, 3> whole{1, -2, 1 << 30};
  const std::array<double, 2> real{0.5, -1e300};
  {
    const ForeignFile file(path_);
    file.write("whole", H5T_STD_I32BE, H5T_NATIVE_INT32, whole.data(), 3);
    file.write("real", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, real.data(), 2);
  }
  const File file(path_, Mode::read);
  for (int i = 0; i < 3; ++i) EXPECT_EQ((file.read<std::int32_t, 1>("whole")(i)), whole[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 2; ++i) EXPECT_EQ((file.read<double, 1>("real")(i)), real[static_cast<std::size_t>(i)]);
}

TEST_F(Hdf5File, ReadsComplexNumbersWithOtherNames) {
  const std::array<float, 4> parts{1, -2, 3, 4};
  {
    const ForeignFile file(path_);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(type, "real", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(type, "imag", 4, H5T_NATIVE_FLOAT);
    file.write("a", type, type, parts.data(), 2);
    H5Tclose(type);
  }
  const auto there = File(path_, Mode::read).read<Kokkos::complex<float>, 1>("a");
  EXPECT_EQ(there(0), Kokkos::complex<float>(1, -2));
  EXPECT_EQ(there(1), Kokkos::complex<float>(3, 4));
}

TEST_F(Hdf5File, RefusesWhatHoldsNoValue) {
  {
    const ForeignFile file(path_);
    const hid_t space = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file.id(), "none", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Aclose(H5Acreate2(file.id(), "none", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  const File file(path_, Mode::read);
  for (const std::string& text : {thrown<mylos::Hdf5Error>([&] { (void)file.read<double, 0>("none"); }),
                                  thrown<mylos::Hdf5Error>([&] { (void)file.extents("none"); }),
                                  thrown<mylos::Hdf5Error>([&] { (void)file.attribute<double>("/", "none"); })}) {
    EXPECT_TRUE(contains(text, {"'none'", "null dataspace", "holds no value", path_.string()}));
  }
}

TEST_F(Hdf5File, ReadsTextOfFixedLength) {
  {
    const ForeignFile file(path_);
    const auto add = [&](const char* name, H5T_str_t padding, const char* text, std::size_t size) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, size);
      H5Tset_strpad(type, padding);
      const hid_t space = H5Screate(H5S_SCALAR);
      const hid_t attribute = H5Acreate2(file.id(), name, type, space, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, type, text);
      H5Aclose(attribute);
      H5Sclose(space);
      H5Tclose(type);
    };
    add("zeros", H5T_STR_NULLTERM, "abc\0\0\0\0", 8);
    add("spaces", H5T_STR_SPACEPAD, "abc     ", 8);
    add("full", H5T_STR_NULLPAD, "abcdefgh", 8);
  }
  const File file(path_, Mode::read);
  EXPECT_EQ(file.attribute<std::string>("/", "zeros"), "abc");
  EXPECT_EQ(file.attribute<std::string>("/", "spaces"), "abc");
  EXPECT_EQ(file.attribute<std::string>("/", "full"), "abcdefgh");
}

}  // namespace
}  // namespace mylos_test
