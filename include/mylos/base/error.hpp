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
  using Where = std::source_location;

  explicit Error(const std::string& message, Where where = Where::current());
  ~Error() override;
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;

  [[nodiscard]] const Where& where() const noexcept { return where_; }

 private:
  Where where_;
};

// Constructors in full: nvcc 13.0 fails with an internal error on inherited ones with such a default argument.

/// A backend cannot be used, or cannot be changed any more.
struct MYLOS_EXPORT BackendError : Error {
  explicit BackendError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A View lives in the wrong memory space, or Views of different spaces are mixed.
struct MYLOS_EXPORT SpaceError : Error {
  explicit SpaceError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// Extents, rank, strides or contiguity are not what the call needs.
struct MYLOS_EXPORT ShapeError : Error {
  explicit ShapeError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// The arguments of a kernel do not match its parameters (count, type, const, rank, struct size).
struct MYLOS_EXPORT SignatureError : Error {
  explicit SignatureError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A scalar does not fit the declared type.
struct MYLOS_EXPORT RangeError : Error {
  explicit RangeError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A name was not found: a kernel, an implementation, a port.
struct MYLOS_EXPORT LookupError : Error {
  explicit LookupError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A value is outside what the call accepts.
struct MYLOS_EXPORT ValueError : Error {
  explicit ValueError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A launch exceeds a limit of the device.
struct MYLOS_EXPORT LaunchError : Error {
  explicit LaunchError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// The CUDA driver reported a failure.
struct MYLOS_EXPORT CudaError : Error {
  explicit CudaError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// A copy happened that was forbidden, or could not be accounted for.
struct MYLOS_EXPORT TransferError : Error {
  explicit TransferError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// The kernel cache cannot be used.
struct MYLOS_EXPORT CacheError : Error {
  explicit CacheError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// MPI reported a failure.
struct MYLOS_EXPORT MpiError : Error {
  explicit MpiError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// PETSc reported a failure.
struct MYLOS_EXPORT PetscError : Error {
  explicit PetscError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// HDF5 reported a failure.
struct MYLOS_EXPORT Hdf5Error : Error {
  explicit Hdf5Error(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};
/// The library is older than the caller needs.
struct MYLOS_EXPORT VersionError : Error {
  explicit VersionError(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};

/// A kernel's text did not compile; `log()` is the compiler's own output, the message shows numbered source lines.
class MYLOS_EXPORT CompileError : public Error {
 public:
  CompileError(const std::string& message, std::string log, Where where = Where::current());
  [[nodiscard]] const std::string& log() const noexcept { return log_; }

 private:
  std::string log_;
};

}  // namespace mylos::inline MYLOS_ABI
