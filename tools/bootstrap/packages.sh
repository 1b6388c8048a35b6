# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What is needed, as data: a part, who asks for it, where Debian has it, its packages. `have_part` says whether a part
# must be installed.
#   required: nothing is built without it · wanted: left out where bootstrap cannot install it ·
#   debian: installed on Debian, asked for nowhere else
#   native: the machine's own release · newer: Debian 13 on Debian 12, native elsewhere · experimental: Debian's

system_parts() {
  cat <<'END'
compiler   required  native        g++ make pkg-config
cmake      required  native        cmake
ninja      required  native        ninja-build
ccache     wanted    native        ccache
python     required  native        python3-venv
gtest      required  native        libgtest-dev
gmock      required  native        libgmock-dev
benchmark  wanted    native        libbenchmark-dev
context    required  native        libboost-context-dev
fmt        required  native        libfmt-dev
json       required  native        nlohmann-json3-dev
cli11      required  native        libcli11-dev
xxhash     required  native        libxxhash-dev
fftw       wanted    native        libfftw3-dev
random123  wanted    native        librandom123-dev
runtime    debian    newer         libc6 libc6-dev libstdc++6 libgomp1
mpi        wanted    newer         libopenmpi-dev openmpi-bin
hdf5       required  newer         libhdf5-openmpi-dev hdf5-tools
blas       wanted    newer         libopenblas-dev
kokkos     required  experimental  libtrilinos-kokkos-dev libtrilinos-kokkos-17.0
kernels    wanted    experimental  libtrilinos-kokkos-kernels-dev trilinos-dev libtrilinos-kokkos-kernels-17.0
END
  [ "$COMMAND" != test ] || echo "fuzzer     debian    native        clang-19 libclang-rt-19-dev $(libc_i386)"
}

# libclang-rt-19-dev needs it, and it needs the very libc6 that is installed: behind an earlier bootstrap on Debian 12,
# that of Debian 13.
libc_i386() {
  [ "${RELEASE:-}" = bookworm ] && [ "$(dpkg --print-architecture)" = amd64 ] && at_least libc6 2.38 || return 0
  echo libc6-i386/trixie
}

# What is required, in words, for a system that bootstrap cannot install on.
needs_in_words() {
  cat <<'END'
Mylos needs, beside a C++20 compiler (g++ >= 12), a C compiler and Python >= 3.11 with venv:
  CMake >= 3.25, Ninja
  Kokkos 4.5 to 5.2 (any host backend)
  {fmt} >= 9, nlohmann_json >= 3.10, xxHash, Boost.Context >= 1.70, CLI11, GoogleTest and GoogleMock
  HDF5 >= 1.10, and the MPI of a parallel one
With Spack, from this folder:
  spack repo add ./spack/spack_repo/mylos && spack install --only dependencies mylos+hdf5+testing
then let CMake find them (spack load, or CMAKE_PREFIX_PATH) and run ./bootstrap again.
END
}

packages_installed() {
  local name
  for name in "${@%%/*}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || return 1
  done
}

# at_least PACKAGE VERSION: for what is installed.
at_least() { dpkg --compare-versions "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" ge "$2"; }

# have_part NAME PACKAGES...: Debian's packages are there, or CMake finds the thing from elsewhere. On another system
# only CMake is asked: the same names may stand for other versions there.
have_part() {
  local name=$1
  shift
  if [ "$name" = runtime ]; then
    # Only Debian's own Kokkos asks for these versions.
    probe_finds kokkos || { packages_installed "$@" && at_least libc6 2.38 && at_least libstdc++6 14; }
    return
  fi
  { on_debian && packages_installed "$@"; } || probe_finds "$name"
}

# What CMake finds: one name a line, written by probe_machine. Without a compiler or CMake nothing is found.
readonly PROBE=$ROOT/build/probe

probe_finds() { grep -qx "$1" "$PROBE/found" 2>/dev/null; }

probe_machine() {
  local generator="Unix Makefiles"
  rm -rf "$PROBE"
  command -v cmake && command -v g++ || return 0
  command -v ninja && generator=Ninja
  cmake -S "$ROOT/tools/bootstrap/probe" -B "$PROBE/build" -G "$generator" -DMYLOS_PROBE_FOUND="$PROBE/found"
}

# missing_rows [WORD]: of system_parts, what nothing provides; with WORD what is needed so, or in that kind of suite.
missing_rows() {
  local name need suite packages
  system_parts | while read -r name need suite packages; do
    case " $need $suite " in *" ${1:-$need} "*) ;; *) continue ;; esac
    # shellcheck disable=SC2086
    have_part "$name" $packages || printf '%s\n' "$name $need $suite $packages"
  done
}

missing_packages() { missing_rows "$1" | awk '{ for (i = 4; i <= NF; i++) printf "%s ", $i }'; }
missing_parts() { missing_rows "$1" | awk '{ printf "%s ", $1 }'; }
