# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Arguments, messages, the log, and the runner of one step.

COMMAND=main DRY_RUN=no ASK=yes LONG=no
STEP_NUMBER=0
readonly LOG=$ROOT/build/bootstrap.log

say() { printf '%s\n' "$*"; }

# fail WHAT WHY TRY: ends with the message grammar that the library has.
fail() {
  printf 'bootstrap: %s: %s: %s\n' "$1" "$2" "$3" >&2
  exit "${4:-1}"
}

parse_arguments() {
  [ -t 0 ] || ASK=no
  while [ $# -gt 0 ]; do
    case $1 in
      test | perf | uninstall) COMMAND=$1 ;;
      --dry-run) DRY_RUN=yes ;;
      --yes | -y) ASK=no ;;
      --long) LONG=yes ;;
      --help | -h) usage && exit 0 ;;
      *) fail "unknown argument '$1'" "bootstrap does not know it" "./bootstrap --help" 2 ;;
    esac
    shift
  done
  mkdir -p "$ROOT/build"
  printf '\n==== ./bootstrap %s, %s ====\n' "$COMMAND" "$(date '+%F %T')" >>"$LOG"
}

# Asks once before the system is changed; silent where nobody can answer.
confirm() {
  [ "$ASK" = yes ] || return 0
  local answer
  read -r -p "$1 [Y/n] " answer
  case $answer in '' | [Yy]*) ASK=no ;; *) fail "stopped" "you said no" "./bootstrap --dry-run shows every step" ;; esac
}

# Runs a command and shows the time that passes: every second in a terminal, in a line a minute elsewhere.
watched() {
  local title=$1 started=$SECONDS now every=60 form='%s: %d s %s\n' end=''
  [ ! -t 1 ] || { every=1 form='\r%s %4d s %s\033[K' end='\r\033[K'; }
  shift
  (set -e; "$@") >>"$LOG" 2>&1 </dev/null &
  local job=$! next=$every
  while kill -0 $job 2>/dev/null; do
    now=$((SECONDS - started))
    if [ $now -ge $next ]; then
      # shellcheck disable=SC2059 # the two forms above
      printf "$form" "$title" $now "$(last_progress)"
      next=$((now + every))
    fi
    sleep 0.2
  done
  wait $job
  local status=$?
  printf '%b' "$end"
  return $status
}

# Ninja's and ctest's "[12/345]" in the end of the log, if that is what runs.
last_progress() { tail -c 400 "$LOG" | grep -aoE '\[ *[0-9]+/[0-9]+\]|^ *[0-9]+/[0-9]+ Test' | tail -n 1; }

# step TITLE CHECK DO: does nothing where CHECK succeeds; CHECK runs again afterwards, so that no step only seems to
# have worked. One line of output; everything that DO prints goes to the log.
step() {
  local title=$1 check=$2 action=$3 started=$SECONDS line
  STEP_NUMBER=$((STEP_NUMBER + 1))
  line=$(printf '[%2d] %s' "$STEP_NUMBER" "$title")
  if $check >>"$LOG" 2>&1; then
    say "$line: already there"
    return
  fi
  if [ "$DRY_RUN" = yes ]; then
    say "$line: would be done"
    return
  fi
  printf -- '---- %s\n' "$title" >>"$LOG"
  # Not inside an `if`: bash would ignore `set -e` in all that the action calls.
  watched "$line" "$action"
  [ $? = 0 ] || step_failed "$line" $((SECONDS - started))
  if [ "$check" != never ] && ! $check >>"$LOG" 2>&1; then
    printf 'the step ended without an error, but its result is not there\n' >>"$LOG"
    step_failed "$line" $((SECONDS - started))
  fi
  say "$line: $((SECONDS - started)) s"
}

step_failed() {
  say "$1: FAILED after $2 s"
  say "The end of $LOG:"
  tail -n 25 "$LOG" | sed 's/^/    /'
  say "Mend the cause and repeat the command: finished steps are skipped."
  exit 1
}

never() { false; } # the check of a step that is always done

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "cannot install packages" "this is not root, and there is no sudo" "run ./bootstrap as root once"
  fi
}
