// SPDX-License-Identifier: MIT
#include "hdf5/driver.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <limits>
#include <memory>
#include <new>
#include <string>

#include "hdf5/calls.hpp"

#if __has_include(<H5FDdevelop.h>)
#  include <H5FDdevelop.h>
#endif

namespace mylos::inline MYLOS_ABI::hdf5 {
namespace {

// A file of HDF5's own driver behind one of ours. HDF5 calls back with the address of its part, the first member.
struct DriverFile {
  H5FD_t base = {};
  H5FD_t* inner = nullptr;
  std::string failure = {};  // of the first write that failed
  bool discards = false;
};

DriverFile* of(H5FD_t* file) { return reinterpret_cast<DriverFile*>(file); }
H5FD_t* inner_of(const H5FD_t* file) { return reinterpret_cast<const DriverFile*>(file)->inner; }

// `make()`, kept: made at the first use, and again when the program has closed the library meanwhile.
template <class Make>
hid_t kept(hid_t& id, Make&& make) {
  if (id < 0 || H5Iis_valid(id) <= 0) id = make();
  return id;
}

// Never closed: that would empty the error stack, which tells why a file cannot be opened.
hid_t inner_properties() {
  static hid_t id = H5I_INVALID_HID;
  return kept(id, [] {
    const hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_sec2(properties);
    return properties;
  });
}

H5FD_t* open(const char* name, unsigned flags, hid_t /*properties*/, haddr_t maxaddr) {
  auto* const file = new (std::nothrow) DriverFile;
  if (file == nullptr) return nullptr;
  file->inner = H5FDopen(name, flags, inner_properties(), maxaddr);
  if (file->inner != nullptr) return &file->base;
  delete file;
  return nullptr;
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<DriverFile> owner(of(file));
  return H5FDclose(owner->inner);
}

// Without a file HDF5 asks for what the driver can do at all.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  *flags = 0;
  if (file != nullptr && H5FDquery(inner_of(file), flags) < 0) return -1;
  *flags &= ~static_cast<unsigned long>(H5FD_FEAT_POSIX_COMPAT_HANDLE);  // a handle is a DriverFile
  return 0;
}

// Changes the file unless a change has failed before; always a success for HDF5.
template <class Change>
herr_t attempt(DriverFile& file, Change&& change) {
  if (file.discards || change() >= 0) return 0;
  file.discards = true;
  try {
    file.failure = take_error_stack();
  } catch (...) {
    file.failure = "no memory";  // short enough to need none
  }
  return 0;
}

// What HDF5 wants to know of a driver; its fields differ between versions.
H5FD_class_t make_class() {
  H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = H5_VFD_RESERVED + 7769;  // any that is not HDF5's own
#endif
  driver.name = "mylos";
  driver.maxaddr = std::numeric_limits<off_t>::max();
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = &open;
  driver.close = &close;
  driver.cmp = [](const H5FD_t* a, const H5FD_t* b) { return H5FDcmp(inner_of(a), inner_of(b)); };
  driver.query = &query;
  driver.get_eoa = [](const H5FD_t* file, H5FD_mem_t type) { return H5FDget_eoa(inner_of(file), type); };
  driver.set_eoa = [](H5FD_t* file, H5FD_mem_t type, haddr_t end) { return H5FDset_eoa(inner_of(file), type, end); };
  driver.get_eof = [](const H5FD_t* file, H5FD_mem_t type) { return H5FDget_eof(inner_of(file), type); };
  driver.get_handle = [](H5FD_t* file, hid_t /*properties*/, void** handle) -> herr_t {
    *handle = of(file);
    return 0;
  };
  driver.read = [](H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void* buffer) {
    return H5FDread(inner_of(file), type, transfer, address, size, buffer);
  };
  driver.write = [](H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, const void* buffer) {
    return attempt(*of(file), [&] { return H5FDwrite(inner_of(file), type, transfer, address, size, buffer); });
  };
  driver.flush = [](H5FD_t* file, hid_t transfer, hbool_t closing) {
    return attempt(*of(file), [&] { return H5FDflush(inner_of(file), transfer, closing); });
  };
  driver.truncate = [](H5FD_t* file, hid_t transfer, hbool_t closing) {
    return attempt(*of(file), [&] { return H5FDtruncate(inner_of(file), transfer, closing); });
  };
  driver.lock = [](H5FD_t* file, hbool_t writes) { return H5FDlock(inner_of(file), writes); };
  driver.unlock = [](H5FD_t* file) { return H5FDunlock(inner_of(file)); };
  constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  for (int type = 0; type < H5FD_MEM_NTYPES; ++type) driver.fl_map[type] = map[type];
  return driver;
}

hid_t driver_id() {
  static const H5FD_class_t driver = make_class();
  static hid_t id = H5I_INVALID_HID;
  return kept(id, [] {
    return checked(H5FDregister(&driver), "register a driver for files", "check the installation of HDF5");
  });
}

DriverFile* driver_file(hid_t file) {
  void* handle = nullptr;
  H5Fget_vfd_handle(file, H5P_DEFAULT, &handle);
  return static_cast<DriverFile*>(handle);
}

}  // namespace

void set_driver(hid_t access_properties) { H5Pset_driver(access_properties, driver_id(), nullptr); }

const std::string& write_failure(hid_t file) { return driver_file(file)->failure; }

void discard_writes(hid_t file) { driver_file(file)->discards = true; }

int reserve_room(hid_t file) {
  H5FD_t* const inner = driver_file(file)->inner;
  void* handle = nullptr;
  struct stat status = {};
  if (H5FDget_vfd_handle(inner, H5P_DEFAULT, &handle) < 0) return 0;
  const int descriptor = *static_cast<const int*>(handle);
  if (::fstat(descriptor, &status) != 0) return errno;
  const auto end = static_cast<off_t>(H5FDget_eoa(inner, H5FD_MEM_DEFAULT));
  if (end <= status.st_size) return 0;
  if (::fallocate(descriptor, 0, status.st_size, end - status.st_size) == 0) return 0;
  return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
