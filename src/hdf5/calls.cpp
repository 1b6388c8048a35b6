// SPDX-License-Identifier: MIT
#include "hdf5/calls.hpp"

#include <algorithm>
#include <string>
#include <utility>
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

// Of "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = 0x..., ..." only
// what a user can make use of.
std::string without_internals(const std::string& text) {
  constexpr std::string_view key = "error message = '";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return text;
  const std::string reason = text.substr(at + key.size(), text.find('\'', at + key.size()) - at - key.size());
  return text.substr(0, text.find(':')) + ": " + reason;
}

// Calls visit(path) for "/a", "/a/b", ... of "a/b/..." until it returns false; whether it never did.
template <class Visit>
bool for_each_part(std::string_view name, Visit&& visit) {
  std::string path;
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    if (slash > at) {
      path += '/';
      path += name.substr(at, slash - at);
      if (!visit(std::as_const(path))) return false;
    }
    at = slash + 1;
  }
  return true;
}

bool link_is_there(hid_t file, const std::string& path) {
  const bool found = H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0;
  if (!found) H5Eclear2(H5E_DEFAULT);  // a dataset on the way is no group: nothing is below it
  return found;
}

bool is_group(hid_t file, const std::string& path) {
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), &H5Oclose);
  H5Eclear2(H5E_DEFAULT);
  return object.id() < 0 || H5Iget_type(object.id()) == H5I_GROUP;  // a link that leads nowhere: HDF5 will tell
}

}  // namespace

Call::Call() : turn_(turns()) {
  static const bool same_version = check_version();
  static_cast<void>(same_version);
  H5Eget_auto2(H5E_DEFAULT, &report_, &report_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Call::~Call() { H5Eset_auto2(H5E_DEFAULT, report_, report_data_); }

std::string take_error_stack() {
  std::vector<std::string> texts;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &collect, &texts);
  H5Eclear2(H5E_DEFAULT);
  if (texts.empty()) return "HDF5 gives no reason";
  const std::string cause = without_internals(texts.front());
  return texts.size() == 1 ? cause : fmt::format("{} ({})", without_internals(texts.back()), cause);
}

void fail(std::string_view action, std::string_view hint) {
  throw Hdf5Error(fmt::format("cannot {}: {}: {}", action, take_error_stack(), hint));
}

bool link_exists(const Location& location) {
  return for_each_part(location.name, [&](const std::string& path) { return link_is_there(location.file, path); });
}

void require_groups_above(const Location& location) {
  const std::size_t last = location.name.find_last_of('/', location.name.find_last_not_of('/'));
  if (last == std::string::npos) return;
  for_each_part(std::string_view(location.name).substr(0, last), [&](const std::string& path) {
    if (!link_is_there(location.file, path)) return false;
    if (is_group(location.file, path)) return true;
    throw Hdf5Error(
        fmt::format("{} cannot be: '{}' is no group but a dataset or type, and nothing is below it: choose "
                    "another name",
                    location.text(), path.substr(1)));
  });
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
