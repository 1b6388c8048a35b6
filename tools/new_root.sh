#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves bootstrap on a new machine: a root of Debian 12 or 13 in a folder, a clone of this repository in it, and both
# commands in a chroot. Needs root and debootstrap; the mirror is that of this machine's own package sources.
#
# usage: tools/new_root.sh bookworm|trixie FOLDER [COMMAND...]     (COMMAND: instead of ./bootstrap and .ci/run)
# FOLDER is kept, so that a failure can be looked at: remove it with `tools/new_root.sh --remove FOLDER`.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/bootstrap/system.sh
source "$ROOT/tools/bootstrap/system.sh"

usage() {
  sed -n '3,8s/^# \?//p' "${BASH_SOURCE[0]}"
  exit 2
}

mirror() { apt_sources | awk '$2 ~ /(^|,)(bookworm|trixie)(,|$)/ { print $1; exit }'; }

make_root() {
  debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,git "$RELEASE" "$FOLDER" "$(mirror)"
}

# What a machine has of its network: resolver, pip's settings, certificates. Nothing else of this machine enters.
copy_network() {
  local file
  for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e $file ] || cp -L --parents $file "$FOLDER"
  done
}

mount_kernel() {
  mountpoint -q "$FOLDER/proc" || mount -t proc proc "$FOLDER/proc"
  mountpoint -q "$FOLDER/dev" || mount --rbind --make-rslave /dev "$FOLDER/dev"
}

unmount_kernel() {
  umount "$FOLDER/proc" || true
  umount -R -l "$FOLDER/dev" || true
}

clone_repository() {
  rm -rf "$FOLDER/root/mylos"
  git -c safe.directory="$ROOT" clone -q "$ROOT" "$FOLDER/root/mylos"
}

inside() {
  chroot "$FOLDER" /usr/bin/env -i HOME=/root CI=true LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c 'cd /root/mylos && "$@"' bash "$@"
}

# timed TITLE COMMAND...
timed() {
  local title=$1 started=$SECONDS status=0
  shift
  "$@" || status=$?
  printf '==== %s on %s: exit code %d, %d s\n' "$title" "$RELEASE" "$status" $((SECONDS - started))
  return $status
}

if [ "${1:-}" = --remove ] && [ -n "${2:-}" ]; then
  FOLDER=$2
  unmount_kernel
  rm -rf --one-file-system "$FOLDER"
  exit
fi
RELEASE=${1:-} FOLDER=${2:-}
case $RELEASE in bookworm | trixie) ;; *) usage ;; esac
[ -n "$FOLDER" ] || usage
shift 2

[ -e "$FOLDER/etc/debian_version" ] || timed debootstrap make_root
copy_network
mount_kernel
trap unmount_kernel EXIT
clone_repository
if [ $# -gt 0 ]; then
  timed "$*" inside "$@"
else
  timed ./bootstrap inside ./bootstrap
  timed .ci/run inside bash .ci/run
fi
