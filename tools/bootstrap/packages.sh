# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What is needed, as data: a part, where Debian has it, its packages. `have_part` says whether a part must be installed.
#   native: the machine's own release · newer: Debian 13 on Debian 12, native elsewhere · experimental: Debian's

system_parts() {
  cat <<'END'
compiler      native        g++ make pkg-config
cmake         native        cmake
ninja         native        ninja-build
ccache        native        ccache
python        native        python3-venv
gtest         native        libgtest-dev
gmock         native        libgmock-dev
benchmark     native        libbenchmark-dev
context       native        libboost-context-dev
fmt           native        libfmt-dev
json          native        nlohmann-json3-dev
cli11         native        libcli11-dev
xxhash        native        libxxhash-dev
fftw          native        libfftw3-dev
random123     native        librandom123-dev
runtime       newer         libc6 libc6-dev libstdc++6 libgomp1
mpi           newer         libopenmpi-dev openmpi-bin
hdf5          newer         libhdf5-openmpi-dev hdf5-tools
blas          newer         libopenblas-dev
kokkos        experimental  libtrilinos-kokkos-dev libtrilinos-kokkos-17.0
kernels       experimental  libtrilinos-kokkos-kernels-dev trilinos-dev libtrilinos-kokkos-kernels-17.0
END
  [ "$COMMAND" != test ] || echo 'fuzzer        native        clang-19 libclang-rt-19-dev'
}

# The same in words, for a system that bootstrap cannot install on.
needs_in_words() {
  cat <<'END'
Mylos needs, beside a C++20 compiler (g++ >= 12) and Python >= 3.11 with venv:
  CMake >= 3.25, Ninja; ccache (optional)
  Kokkos 4.5 to 5.2 (any host backend); Kokkos Kernels of the same version for Mylos::numerics
  {fmt} >= 9, nlohmann_json >= 3.10, xxHash, Boost.Context, GoogleTest and GoogleMock; CLI11, Google Benchmark, Random123, FFTW
  HDF5 (parallel), an MPI, PETSc >= 3.18 with Kokkos: each for the module of that name
With Spack, from this folder:
  spack repo add ./spack/spack_repo/mylos && spack install --only dependencies mylos+hdf5+testing
then let CMake find them (spack load, or CMAKE_PREFIX_PATH) and run ./bootstrap again.
END
}

packages_installed() {
  local name
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || return 1
  done
}

# at_least PACKAGE VERSION: for what is installed.
at_least() { dpkg --compare-versions "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" ge "$2"; }

# have_part NAME PACKAGES...: Debian's packages are there, or CMake finds the thing from elsewhere.
have_part() {
  local name=$1
  shift
  if [ "$name" = runtime ]; then
    # Only Debian's own Kokkos asks for these versions.
    probe_finds kokkos || { packages_installed "$@" && at_least libc6 2.38 && at_least libstdc++6 14; }
    return
  fi
  packages_installed "$@" || probe_finds "$name"
}

# What CMake finds: one name a line, written by probe_machine. Without a compiler or CMake nothing is found.
readonly PROBE=$ROOT/build/probe

probe_finds() { grep -qx "$1" "$PROBE/found" 2>/dev/null; }

probe_machine() {
  local generator="Unix Makefiles"
  rm -rf "$PROBE/build"
  command -v cmake && command -v g++ || return 0
  command -v ninja && generator=Ninja
  cmake -S "$ROOT/tools/bootstrap/probe" -B "$PROBE/build" -G "$generator" -DMYLOS_PROBE_FOUND="$PROBE/found" ||
    rm -f "$PROBE/found"
}

# missing_packages SUITE: of that kind of suite, only those of parts that nothing provides.
missing_packages() {
  local name suite packages
  system_parts | while read -r name suite packages; do
    [ "$suite" = "$1" ] || continue
    # shellcheck disable=SC2086
    have_part "$name" $packages || printf '%s ' $packages
  done
}
