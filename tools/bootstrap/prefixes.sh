# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Private packages: outside the clone, one folder for each version, so that they are made once per machine.
# build/deps/<name> is a link to the one in use: CMakePresets.json and CMake know only that name.

readonly DEPS=${MYLOS_DEPS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/mylos/deps}
readonly LINKS=$ROOT/build/deps
readonly REQUIREMENTS=$ROOT/tools/bootstrap/requirements
readonly KOKKOS_OPENMP_VERSION=5.2.2
readonly PETSC_VERSION=3.26.1

# prefix_ready NAME KEY: made completely, for that key; links it.
prefix_ready() {
  [ -e "$DEPS/$1-$2/.complete" ] || return 1
  mkdir -p "$LINKS"
  ln -sfn "$DEPS/$1-$2" "$LINKS/$1"
}

# begin_prefix NAME KEY: an empty folder; its name is printed.
begin_prefix() {
  rm -rf "${DEPS:?}/$1-$2"
  mkdir -p "$DEPS/$1-$2"
  printf '%s' "$DEPS/$1-$2"
}

# ---- Python: a small environment for the plots; the tests' environment holds more and serves both ----

python_key() { { python3 --version && cat "$@"; } 2>/dev/null | sha256sum | cut -c1-12; }

make_environment() {
  local prefix
  prefix=$(begin_prefix python "$(python_key "$@")")
  python3 -m venv "$prefix"
  "$prefix/bin/python" -m pip install --disable-pip-version-check -q "${@/#/-r}"
  touch "$prefix/.complete"
}

have_python_tools() { prefix_ready python "$(python_key "$REQUIREMENTS/run.txt" "$REQUIREMENTS/test.txt")"; }
make_python_tools() { make_environment "$REQUIREMENTS/run.txt" "$REQUIREMENTS/test.txt"; }
have_python() { have_python_tools || prefix_ready python "$(python_key "$REQUIREMENTS/run.txt")"; }
make_python() { make_environment "$REQUIREMENTS/run.txt"; }

# ---- NVRTC: of a CUDA toolkit, else NVIDIA's wheel ----

# By the names and in the places that src/cuda/nvrtc.cpp has: what the loader finds by itself, and the usual folders.
toolkit_nvrtc() {
  local folders folder name
  IFS=: read -ra folders <<<"${LD_LIBRARY_PATH:-}"
  folders+=("${CUDA_HOME:+$CUDA_HOME/lib64}" "${CUDA_PATH:+$CUDA_PATH/lib64}" /usr/local/cuda/lib64)
  for folder in "${folders[@]}"; do
    for name in libnvrtc.so.13 libnvrtc.so.12; do
      if [ -n "$folder" ] && [ -e "$folder/$name" ]; then return; fi
    done
  done
  # It stands where only root's PATH has it. All of its output is read: -q would end it with a signal.
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -E 'libnvrtc\.so\.1[23] ' >/dev/null
}

have_nvrtc_wheel() { prefix_ready "$1" "$(python_key "$REQUIREMENTS/$1.txt")"; }

make_nvrtc_wheel() {
  local prefix library
  prefix=$(begin_prefix "$1" "$(python_key "$REQUIREMENTS/$1.txt")")
  "$LINKS/python/bin/python" -m pip install --disable-pip-version-check -q --target "$prefix/wheel" \
    -r "$REQUIREMENTS/$1.txt"
  library=$(find "$prefix/wheel" -name 'libnvrtc.so.*' | head -n 1)
  mkdir -p "$prefix/lib"
  ln -s "$(dirname "$library")"/libnvrtc* "$prefix/lib/"
  ln -s "$(dirname "$library")/../include" "$prefix/include"
  touch "$prefix/.complete"
}

have_nvrtc() { toolkit_nvrtc || have_nvrtc_wheel nvrtc; }
install_nvrtc() { make_nvrtc_wheel nvrtc; }
have_nvrtc_12() { have_nvrtc_wheel nvrtc12; }
install_nvrtc_12() { make_nvrtc_wheel nvrtc12; }

# ---- Kokkos with OpenMP: the packages of Debian's sid, unpacked, never installed ----

have_kokkos_openmp() { prefix_ready kokkos-openmp "$KOKKOS_OPENMP_VERSION"; }

make_kokkos_openmp() {
  local prefix lib download package
  apt_files_current || write_apt_files
  prefix=$(begin_prefix kokkos-openmp "$KOKKOS_OPENMP_VERSION")
  download=$(mktemp -d)
  chmod 755 "$download"
  (cd "$download" && apt-get -q -o APT::Sandbox::User=root download libkokkos-dev/sid libkokkos5.2/sid)
  for package in "$download"/*.deb; do dpkg -x "$package" "$prefix"; done
  rm -r "$download"
  lib=$(dirname "$(find "$prefix" -name 'libkokkoscore.so' | head -n 1)")
  # The package's CMake files name two archives that it lacks (both libraries are header-only) ...
  ar rcs "$lib/libkokkosalgorithms.a"
  ar rcs "$lib/libkokkossimd.a"
  # ... and the folder that the headers would be in, had it been installed.
  grep -rlZ '/usr/include/kokkos' "$lib/cmake" | xargs -0 -r sed -i "s|/usr/include/kokkos|$prefix/usr/include/kokkos|g"
  touch "$prefix/.complete"
}

# ---- PETSc: the source distribution of PyPI, built by pip against the Kokkos that is installed ----

petsc_key() {
  printf '%s-%s' "$PETSC_VERSION" "$(
    { dpkg-query -W libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev libopenmpi-dev; petsc_options; } 2>/dev/null |
      sha256sum | cut -c1-12
  )"
}

have_petsc() { pkg_config_petsc || prefix_ready petsc "$(petsc_key)"; }

# A PETSc of the machine counts if it has Kokkos.
pkg_config_petsc() {
  local include
  include=$(pkg-config --variable=includedir 'PETSc >= 3.18' 2>/dev/null) || return 1
  grep -qs 'define PETSC_HAVE_KOKKOS_KERNELS 1' "$include/petscconf.h"
}

# A thousand sources, for tests: -O1 takes a quarter less time to compile than -O2.
# BLAS and LAPACK by the names under which Debian has whichever the machine prefers: OpenBLAS, the reference, others.
# Where they are not, PETSc looks for them itself.
petsc_options() {
  local lib=/usr/lib/x86_64-linux-gnu kokkos=/usr/include/kokkos kernels=/usr/include/trilinos
  printf '%s ' --with-fc=0 --with-x=0 \
    "--with-kokkos-include=$kokkos" \
    "--with-kokkos-lib=[$lib/libkokkoscontainers.so,$lib/libkokkoscore.so,$lib/libkokkossimd.so]" \
    "--with-kokkos-kernels-include=$kernels" "--with-kokkos-kernels-lib=[$lib/libtrilinos_kokkoskernels.so]" \
    --COPTFLAGS=-O1 --CXXOPTFLAGS=-O1
  [ ! -e $lib/liblapack.so ] || printf '%s ' "--with-blaslapack-lib=[$lib/liblapack.so,$lib/libblas.so]"
}

make_petsc() {
  local prefix
  prefix=$(begin_prefix petsc "$(petsc_key)")
  # Without a load of its own make waits for a quiet machine. What pip has kept may have been built with other options.
  PETSC_CONFIGURE_OPTIONS="$(petsc_options) --with-make-np=$(nproc) --with-make-load=1000" MPICC=mpicc MPICXX=mpicxx MPIFC='' \
    "$LINKS/python/bin/python" -m pip install --disable-pip-version-check --target "$prefix/site" \
    --no-deps --no-cache-dir --no-binary petsc "petsc==$PETSC_VERSION"
  ln -s site/petsc/include site/petsc/lib "$prefix/"
  touch "$prefix/.complete"
}

# Its configure keeps one core busy for minutes, and sanitized builds do not use it: it is made beside those, by a
# process group of its own, which ends with this shell.
begin_petsc() {
  if [ "$DRY_RUN" = yes ] || have_petsc >>"$LOG" 2>&1; then return; fi
  set -m
  (set -e; make_petsc) >"$ROOT/build/petsc.log" 2>&1 </dev/null &
  PETSC_JOB=$!
  set +m
  trap 'kill -- -"$PETSC_JOB" 2>/dev/null' EXIT
}

await_petsc() {
  while kill -0 "$PETSC_JOB" 2>/dev/null; do sleep 0.5; done
  cat "$ROOT/build/petsc.log"
}
