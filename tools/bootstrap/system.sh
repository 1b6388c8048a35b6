# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Debian's packages. apt is configured by two files of our own, nothing else is touched; `./bootstrap uninstall`
# removes them. The mirror and its key are those of the machine's own sources.

# Before all of apt's paths; for tests, which give a folder of their own.
readonly APT_ROOT=${MYLOS_APT_ROOT:-}
readonly APT_SOURCE=$APT_ROOT/etc/apt/sources.list.d/mylos.sources
readonly APT_PINS=$APT_ROOT/etc/apt/preferences.d/mylos
readonly WRITTEN_BY="Written by Mylos' ./bootstrap; removed by ./bootstrap uninstall."

# Every binary package source of the machine but ours, one a line: address, suites (comma-separated), keyring or "-".
# Those that apt would not accept are none.
apt_sources() {
  local file
  for file in "$APT_ROOT"/etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && [ "$file" != "$APT_SOURCE" ] && deb822_sources "$file"
  done
  for file in "$APT_ROOT"/etc/apt/sources.list "$APT_ROOT"/etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] && one_line_sources "$file"
  done
}

deb822_sources() {
  awk '
    function flush() {
      if (types ~ /(^| )deb( |$)/ && enabled !~ /^(no|false|off|0)$/ && uri != "" && suites != "")
        print uri, suites, (key ~ /^\//) ? key : "-"
      types = uri = suites = key = enabled = ""
    }
    function value(line) { sub(/^[^:]*:[ \t]*/, "", line); sub(/[ \t]+$/, "", line); return line }
    /^[ \t]*$/ { flush() }
    /^#/ { next }
    tolower($0) ~ /^types:/ { types = value($0) }
    tolower($0) ~ /^enabled:/ { enabled = tolower(value($0)) }
    tolower($0) ~ /^uris:/ { uri = value($0); sub(/[ \t].*/, "", uri) }
    tolower($0) ~ /^suites:/ { suites = value($0); gsub(/[ \t]+/, ",", suites) }
    tolower($0) ~ /^signed-by:/ { key = value($0) }
    END { flush() }' "$1"
}

one_line_sources() {
  awk '
    $1 == "deb" {
      key = "-"; field = 2
      if ($2 ~ /^\[/)
        for (;; field++) {
          option = $field; gsub(/[][]/, "", option)
          if (option ~ /^signed-by=\//) key = substr(option, 11)
          if ($field ~ /\]$/ || field >= NF) { field++; break }
        }
      if (field < NF) print $field, $(field + 1), key
    }' "$1"
}

# release_source RELEASE: the line of apt_sources that carries it, updates and security left out.
release_source() { apt_sources | awk -v release="$1" 'index("," $2 ",", "," release ",") { print; exit }'; }

# The release of Debian that bootstrap can install on, empty elsewhere. By its sources, not by /etc/os-release: with
# Debian 13's glibc a Debian 12 calls itself 13.
debian_release() {
  local release
  command -v apt-get >/dev/null || return 0
  for release in bookworm trixie; do
    if [ -n "$(release_source $release)" ]; then
      printf '%s' $release
      return
    fi
  done
}

on_debian() { [ -n "$RELEASE" ]; }

wanted_apt_source() {
  local uri suites key
  read -r uri suites key <<<"$(release_source "$1")"
  suites="sid experimental"
  [ "$1" = trixie ] || suites="trixie $suites"
  printf '# %s\nTypes: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$WRITTEN_BY" "$uri" "$suites"
  [ "$key" = - ] || printf 'Signed-By: %s\n' "$key"
  # The experimental suite's list can be past its date on a mirror.
  printf 'Check-Valid-Until: no\n'
}

# The machine's own release stays first; the others are taken only where a package is named with its suite.
wanted_apt_pins() {
  local pins="n=sid=300 a=experimental=200" pin
  case $1 in
    bookworm) pins="n=bookworm*=900 n=trixie=400 $pins" ;;
    trixie) pins="n=trixie*=900 $pins" ;;
  esac
  printf 'Explanation: %s\n' "$WRITTEN_BY"
  for pin in $pins; do
    printf 'Package: *\nPin: release %s\nPin-Priority: %s\n\n' "${pin%=*}" "${pin##*=}"
  done
}

apt_files_current() {
  [ "$(cat "$APT_SOURCE" 2>/dev/null)" = "$(wanted_apt_source "$RELEASE")" ] &&
    [ "$(cat "$APT_PINS" 2>/dev/null)" = "$(wanted_apt_pins "$RELEASE")" ] &&
    ls "$APT_ROOT"/var/lib/apt/lists/*experimental*Packages* >/dev/null 2>&1
}

apt_files_absent() { [ ! -e "$APT_SOURCE" ] && [ ! -e "$APT_PINS" ]; }

write_apt_files() {
  wanted_apt_source "$RELEASE" | as_root tee "$APT_SOURCE"
  wanted_apt_pins "$RELEASE" | as_root tee "$APT_PINS"
  apt_get update
}

remove_apt_files() {
  local file
  for file in "$APT_SOURCE" "$APT_PINS"; do
    if [ -e "$file" ] && ! grep -q "$WRITTEN_BY" "$file"; then
      printf '%s was not written by bootstrap and stays\n' "$file"
      return 1
    fi
    as_root rm -f "$file"
  done
  as_root apt-get update
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    -o Dpkg::Options::=--force-confold --no-install-recommends "$@"
}

# simulated PACKAGES...: what apt would do, with $APT_TARGET as the target release. Lines "Inst ..." and "Remv ...".
simulated() { apt-get -s --no-install-recommends ${APT_TARGET:+-t "$APT_TARGET"} install "$@" 2>&1; }

# Programs and headers that the installation would remove, although the target release has them: named here, they are
# upgraded instead. (A library goes when its renamed successor comes; whoever needed it is in the list.)
kept_by_upgrade() {
  simulated "$@" | awk '$1 == "Remv" && ($2 !~ /^lib/ || $2 ~ /-dev$/) { print $2 }' | while read -r name; do
    apt-cache policy "$name" | grep -q "$APT_TARGET" && printf '%s ' "$name"
  done
}

# describe_change PACKAGES...: one paragraph on what the machine will look like.
describe_change() {
  simulated "$@" | awk '
    $1 == "Inst" && $3 ~ /^\[/ {
      upgraded++
      if ($2 ~ /^(libc6|libstdc\+\+6)$/) named = named (named == "" ? "" : ", ") $2 " " $3 " to " $4
    }
    $1 == "Inst" && $3 !~ /^\[/ { added++ }
    $1 == "Remv" { removed = removed " " $2; count++ }
    END {
      printf "     %d new packages, %d upgraded", added, upgraded
      if (named != "") { gsub(/[][()]/, "", named); printf " (among them %s)", named }
      printf "; removed: %s\n", count ? count " (replaced or no longer needed:" removed ")" : "none"
    }'
}

# install_kind KIND SUITE TITLE: what is missing of that kind; SUITE "" is the machine's own release.
install_kind() {
  KIND=$1 APT_TARGET=$2
  WANTED_PACKAGES=$(missing_packages "$KIND")
  [ -n "$WANTED_PACKAGES" ] || return 0
  if [ -n "$APT_TARGET" ] && apt_files_current; then
    # shellcheck disable=SC2086
    WANTED_PACKAGES+=$(kept_by_upgrade $WANTED_PACKAGES)
  fi
  say "     ${APT_TARGET:-$RELEASE}: $WANTED_PACKAGES"
  # shellcheck disable=SC2086
  if apt_files_current; then describe_change $WANTED_PACKAGES; fi
  if [ "$DRY_RUN" = no ]; then confirm "Install these?"; fi
  step "$3" nothing_missing install_wanted_packages
}

nothing_missing() { [ -z "$(missing_packages "$KIND")" ]; }

# shellcheck disable=SC2086
install_wanted_packages() { apt_get ${APT_TARGET:+-t "$APT_TARGET"} install $WANTED_PACKAGES; }

no_part_missing() { [ -z "$(missing_rows)" ]; }

install_system_packages() {
  local newer_suite=trixie
  RELEASE=$(debian_release)
  if ! no_part_missing; then probe_machine >>"$LOG" 2>&1; fi
  if ! on_debian; then unknown_system; fi
  if ! on_debian || no_part_missing; then
    step "Compiler, CMake, libraries, Open MPI, HDF5, Kokkos" true never
    return
  fi
  if [ "$RELEASE" = trixie ]; then newer_suite=; fi
  announce_apt_files
  step "apt: $APT_SOURCE, $APT_PINS" apt_files_current write_apt_files
  install_kind native "" "Compiler, CMake and libraries"
  install_kind newer "$newer_suite" "Open MPI, parallel HDF5, OpenBLAS"
  install_kind experimental experimental "Kokkos and Kokkos Kernels"
}

announce_apt_files() {
  apt_files_current && return
  say "This will write two files that name further suites of this machine's own Debian mirror, for named packages only:"
  say "  $APT_SOURCE, $APT_PINS   (undo: ./bootstrap uninstall)"
  [ "$RELEASE" = trixie ] || say "and take glibc and libstdc++ from Debian 13, which the Kokkos packages need."
  [ "$DRY_RUN" = yes ] || confirm "Go on?"
}

# Ends where something required is missing; the rest goes on without what is only wanted.
unknown_system() {
  local required left_out
  required=$(missing_parts required)
  left_out=$(missing_parts wanted)
  if [ "$COMMAND" = test ]; then left_out+="petsc "; fi # these two are made of Debian's packages
  if [ "$COMMAND$LONG" = testyes ]; then left_out+="kokkos-openmp "; fi
  if [ -n "$required" ]; then
    say "bootstrap installs on Debian 12 and 13; this machine is neither, by its package sources. Missing here:"
    say "  $required"
    needs_in_words
    exit 3
  fi
  [ -z "$left_out" ] || say "     left out: $left_out"
}
