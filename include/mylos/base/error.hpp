// SPDX-License-Identifier: MIT
// The error tree. Every failure of Mylos is an Error whose type tells the cause.
//
// Messages follow one grammar: *what happened: why it is a problem: what to try*. They name the thing
// (kernel, argument, View label, extents, space, variable, file) and end without a full stop.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Base of all errors; `where()` is the place in Mylos (or in the caller's code) that raised it.
class MYLOS_EXPORT Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::source_location where = std::source_location::current());
  ~Error() override;
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;

  [[nodiscard]] const std::source_location& where() const noexcept { return where_; }

 private:
  std::source_location where_;
};

/// A backend cannot be used, or cannot be changed any more.
struct MYLOS_EXPORT BackendError : Error { using Error::Error; };
/// A View lives in the wrong memory space, or Views of different spaces are mixed.
struct MYLOS_EXPORT SpaceError : Error { using Error::Error; };
/// Extents, rank, strides or contiguity are not what the call needs.
struct MYLOS_EXPORT ShapeError : Error { using Error::Error; };
/// The arguments of a kernel do not match its parameters (count, type, const, rank, struct size).
struct MYLOS_EXPORT SignatureError : Error { using Error::Error; };
/// A scalar does not fit the declared type.
struct MYLOS_EXPORT RangeError : Error { using Error::Error; };
/// A name was not found: a kernel, an implementation, a port.
struct MYLOS_EXPORT LookupError : Error { using Error::Error; };
/// A value is outside what the call accepts.
struct MYLOS_EXPORT ValueError : Error { using Error::Error; };
/// A launch exceeds a limit of the device.
struct MYLOS_EXPORT LaunchError : Error { using Error::Error; };
/// The CUDA driver reported a failure.
struct MYLOS_EXPORT CudaError : Error { using Error::Error; };
/// A copy happened that was forbidden, or could not be accounted for.
struct MYLOS_EXPORT TransferError : Error { using Error::Error; };
/// The kernel cache cannot be used.
struct MYLOS_EXPORT CacheError : Error { using Error::Error; };
/// MPI reported a failure.
struct MYLOS_EXPORT MpiError : Error { using Error::Error; };
/// PETSc reported a failure.
struct MYLOS_EXPORT PetscError : Error { using Error::Error; };
/// HDF5 reported a failure.
struct MYLOS_EXPORT Hdf5Error : Error { using Error::Error; };
/// The library is older than the caller needs.
struct MYLOS_EXPORT VersionError : Error { using Error::Error; };

/// A kernel's text did not compile; `log()` is the compiler's own output, the message shows numbered source lines.
class MYLOS_EXPORT CompileError : public Error {
 public:
  CompileError(const std::string& message, std::string log,
               std::source_location where = std::source_location::current());
  [[nodiscard]] const std::string& log() const noexcept { return log_; }

 private:
  std::string log_;
};

}  // namespace mylos::inline MYLOS_ABI
