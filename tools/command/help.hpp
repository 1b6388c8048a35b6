// SPDX-License-Identifier: MIT
// What --help says below the arguments and options, which CLI11 lists. No line is longer than 100 characters.
#pragma once

namespace mylos_command::help {

inline constexpr const char* mylos = R"(Exit codes:
  0   done; with check: every kernel is good
  1   a kernel has faults
  2   a wrong call, or something that could not be done: the reason is on standard error

Environment:
  MYLOS_CXX         the compiler of the emulated device (else CXX, else c++)
  MYLOS_NVRTC       the file of NVRTC's library, where the usual places have none
  MYLOS_CACHE_DIR   where compiled kernels are kept; MYLOS_CACHE=0: nowhere
  MYLOS_LOG         info tells what is compiled and what comes from the cache; debug more
  All settings: docs/settings.md.

Example:
  mylos new kernel scale                          a kernel to begin with
  mylos check kernels --arch sm_80,sm_90 --run    do all kernels compile, do they agree?

'mylos COMMAND --help' tells more of each command.)";

inline constexpr const char* info =
    R"(Prints one JSON object, with and without --json: the version, each backend and, where one cannot be
used, the reason; the compilers (NVRTC, the emulated device's), and the devices. No kernel is
compiled or run.

Environment:
  MYLOS_BACKEND       the backend that programs are to use
  MYLOS_NVRTC         the file of NVRTC's library, where the usual places have none
  MYLOS_CUDA_DRIVER   the file of the driver's library, where the usual places have none
  MYLOS_CXX           the compiler of the emulated device (else CXX, else c++)

Exit codes:
  0   always, also where nothing but the host can be used
  2   a wrong call

Example:
  mylos info | python3 -c 'import json, sys; print(json.load(sys.stdin)["nvrtc"])')";

inline constexpr const char* check =
    R"(Reads each kernel of the files, and compiles it for the emulated device and, by NVRTC, for the
architectures of --arch; no GPU is needed. Prints a line for each kernel: registers, shared memory
and spills as the compilers tell them, then all errors in full. Templates are read and not compiled:
only their users know the arguments.

--run also makes a project of all kernels that lie in <folder>/<name>/<name>.cu with a functor
<name>.hpp beside them, builds it in a temporary folder with the Mylos of this command, and compares
functor and port on the inputs of <name>_parity.hpp on the emulated device, with MYLOS_DEBUG=1 and
all checks (races, bounds, ...: MYLOS_EMULATOR_CHECKS=all).
CMake may use any generator, the default or one named by --cmake=-G... or CMAKE_GENERATOR; those of
several configurations build Release. Each step of it has the time of --time-limit.

Environment:
  MYLOS_CXX                       the compiler of the emulated device (else CXX, else c++)
  MYLOS_NVRTC                     the file of NVRTC's library, where the usual places have none
  MYLOS_CACHE, MYLOS_CACHE_DIR    compiled kernels are kept, so that a second check is quick
  CXX, CMAKE_PREFIX_PATH, ...     what CMake reads, for --run

Exit codes:
  0   every kernel is good
  1   a kernel has faults; with --run: or functor and port differ, or the project cannot be built
  2   a wrong call, a path without .cu files, or a compiler that cannot be used

Example:
  mylos check kernels --arch sm_80,sm_90,sm_100
  mylos check kernels/push/push.cu --arch compute_90 -I include --option=-DORDER=2 --json
  mylos check kernels --run --time-limit 1200 --cmake=-DKokkos_DIR=/opt/kokkos/lib/cmake/Kokkos)";

inline constexpr const char* new_kernel =
    R"(Writes <directory>/NAME/NAME.hpp (the functor of the host), NAME.cu (the CUDA port) and
NAME_parity.hpp (inputs that both are compared on), and a CMakeLists.txt where the current folder
has none. All of it builds, and the test passes: then change it. Nothing is overwritten.

Refused are names that are no C++ identifiers or are words of C++, those of the compiler (_a, a__b),
those that the catalog has in its namespace (host, catalog, std), and what CUDA or C has already
(sin, main, threadIdx): for these the compilers that are there are asked.

Without --directory and --namespace those of the mylos_add_kernels() in the CMakeLists.txt of the
current folder are taken, where it has one and no more.

Environment:
  MYLOS_CXX, MYLOS_NVRTC   the compilers that are asked about the name

Exit codes:
  0   written; the files are listed
  2   a wrong call, a name that cannot be, or a folder of this name that is there already

Example:
  mylos new kernel scale && cmake -B build && cmake --build build && ctest --test-dir build)";

inline constexpr const char* cache =
    R"(What NVRTC and the emulated device have compiled is kept in a folder, so that the next process loads
it; and the emulator's headers as g++ has read them, 9 MB for each set of options. An edited text,
header, option or compiler is noticed: nothing ever has to be cleared.

'list' prints the size in bytes and the description of each entry, and a line about all of them;
with --json an array of objects that have these as "bytes" and "description".

Environment:
  MYLOS_CACHE_DIR    the folder; default $XDG_CACHE_HOME/mylos, else ~/.cache/mylos
  MYLOS_CACHE        0: nothing is kept
  MYLOS_CACHE_SIZE   MiB: above, what was not used for longest is removed

Exit codes:
  0   done
  2   a wrong call, there is no cache (MYLOS_CACHE=0), or its folder cannot be read

Example:
  mylos cache list | head
  mylos cache list --json)";

}  // namespace mylos_command::help
