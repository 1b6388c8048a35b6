# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Configure, build, run: by the presets of CMakePresets.json.

readonly DEFAULT=$ROOT/build/default
readonly LANDAU=$DEFAULT/examples/landau

# The presets that this machine can build; openmp needs Debian's packages, nvcc the CUDA toolkit's compiler. On two
# cores the long ones take more time than a change should wait for: docs/decisions/0021-what-ci-leaves-to-long-runs.md.
sanitizer_presets() {
  printf 'asan tsan'
  if [ "$LONG" = yes ]; then printf ' asan-kernel tsan-kernel'; fi
}
other_presets() {
  printf default
  if [ "$LONG" = no ]; then return; fi
  if on_debian; then printf ' openmp'; fi
  if find_nvcc >/dev/null; then printf ' nvcc'; fi
}

find_nvcc() { command -v nvcc || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; }

# Always done: CMake and Ninja know best what is new, and find in a second that nothing is.
# build_preset <preset> ["<target> ..."]
build_preset() {
  PRESET=$1
  read -ra TARGETS <<<"${2:-all}"
  step "Build '$PRESET'" never configure_and_build
}

configure_and_build() {
  cmake --preset "$PRESET"
  if [ "${TARGETS[0]}" = all ]; then
    cmake --build --preset "$PRESET" -- -k 0
  else
    cmake --build --preset "$PRESET" --target "${TARGETS[@]}"
  fi
}

use_private_packages() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,sm OMPI_MCA_mpi_yield_when_idle=1
  export OMP_PROC_BIND=false
}

# ---- The main job ----

run_main_job() {
  local backend
  use_private_packages
  for backend in host emulated; do
    BACKEND=$backend
    step "A plasma wave on backend '$backend'" never run_landau
  done
  step "Plot" never plot_landau
  [ "$DRY_RUN" = yes ] || report_main_job
}

run_landau() {
  mkdir -p "$DEFAULT/landau/$BACKEND"
  "$LANDAU/landau" --backend "$BACKEND" --output "$DEFAULT/landau/$BACKEND" \
    --json "$DEFAULT/landau/$BACKEND/report.json" --quiet
}

plot_landau() {
  "$LINKS/python/bin/python" "$LANDAU/plot.py" "$DEFAULT/landau/host" "$DEFAULT/landau/emulated" \
    --output "$DEFAULT/landau/landau.png"
}

report_main_job() {
  "$LINKS/python/bin/python" "$ROOT/tools/bootstrap/report.py" "$DEFAULT"/landau/{host,emulated}/report.json || exit 1
  say "Plot:  build/default/landau/landau.png"
  find "$DEFAULT/landau" -name '*.h5' | sort | sed "s|^$ROOT/|Data:  |"
  say "Log:   build/bootstrap.log      Total time: ${SECONDS} s"
}

# ---- The tests: one run of ctest over all presets, so that its closing line speaks for all of them ----

run_all_tests() {
  local filter=(-LE '^long$') preset
  [ "$DRY_RUN" = no ] || { say "Then ctest over all of them."; return; }
  if [ "$LONG" = yes ]; then filter=(); fi
  mkdir -p "$ROOT/build/all"
  for preset in $(other_presets) $(sanitizer_presets); do
    printf 'subdirs("../%s")\n' "$preset"
  done >"$ROOT/build/all/CTestTestfile.cmake"
  use_private_packages
  say "Total time so far: ${SECONDS} s. The tests:"
  exec ctest --test-dir "$ROOT/build/all" --output-on-failure --no-tests=error --timeout 300 -j "$(nproc)" \
    --progress "${filter[@]}"
}

# ---- The benchmarks ----

run_benchmarks() {
  use_private_packages
  step "Benchmarks" never all_benchmarks
  [ "$DRY_RUN" = yes ] || say "Report: build/default/perf/report.md"
}

all_benchmarks() { cmake --build --preset default --target perf_report; }
