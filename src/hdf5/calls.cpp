// SPDX-License-Identifier: MIT
#include "hdf5/calls.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {
namespace {

std::recursive_mutex& turns() {
  static auto* const mutex = new std::recursive_mutex;  // never destroyed: Files may be closed by static destructors
  return *mutex;
}

// HDF5 ends the whole program when it finds a header of another version, so it is not given the chance.
bool check_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR || release != H5_VERS_RELEASE) {
    throw VersionError(
        fmt::format("HDF5 {}.{}.{} was loaded, but Mylos was built with {}.{}.{}: the two do not fit together: rebuild "
                    "Mylos, or correct LD_LIBRARY_PATH",
                    major, minor, release, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE));
  }
  return true;
}

herr_t collect(unsigned /*number*/, const H5E_error2_t* error, void* texts) {
  static_cast<std::vector<std::string>*>(texts)->emplace_back(error->desc != nullptr ? error->desc : "");
  return 0;
}

// The innermost entry is the cause, the outermost one says what it prevented.
std::string take_error_stack() {
  std::vector<std::string> texts;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &collect, &texts);
  H5Eclear2(H5E_DEFAULT);
  if (texts.empty()) return "HDF5 gives no reason";
  return texts.size() == 1 ? texts.front() : fmt::format("{} ({})", texts.back(), texts.front());
}

}  // namespace

Call::Call() : turn_(turns()) {
  static const bool same_version = check_version();
  static_cast<void>(same_version);
  H5Eget_auto2(H5E_DEFAULT, &report_, &report_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Call::~Call() { H5Eset_auto2(H5E_DEFAULT, report_, report_data_); }

void fail(std::string_view action, std::string_view hint) {
  throw Hdf5Error(fmt::format("cannot {}: {}: {}", action, take_error_stack(), hint));
}

bool link_exists(const Location& location) {
  std::string path;
  std::size_t at = 0;
  while (at < location.name.size()) {
    const std::size_t slash = std::min(location.name.find('/', at), location.name.size());
    if (slash > at) {
      path += '/' + location.name.substr(at, slash - at);
      if (H5Lexists(location.file, path.c_str(), H5P_DEFAULT) <= 0) {
        H5Eclear2(H5E_DEFAULT);  // a dataset on the way is no group: nothing is below it
        return false;
      }
    }
    at = slash + 1;
  }
  return true;
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
