# The learner's commands of ./attend: board, watch, hint, solution, quiz. Sourced by it, and using its functions; what is
# kept of a reader is asked of attend_seat (main.cpp beside this file).

seat() { "$build/tutorials/attend_seat" "$@"; }

# note KIND WHAT: what was done. Where that cannot be kept it was done all the same.
note() { seat note "$@" || say "attend: the board will not know of it (see above)."; }

# seat_ready: builds that program, for commands that build nothing else.
seat_ready() {
  set_up "${packages_usual[@]}"
  prepare "the learner's seat" attend_seat
}

# next_step: after something was done, what comes next and the command to type.
next_step() {
  printf '\n'
  seat step || true
}

# The board; before anything is built, when there is nothing to keep yet, the chapters alone.
board_command() {
  if [[ -x $build/tutorials/attend_seat ]]; then
    seat board
  else
    list_chapters
  fi
}

# choose_exercise COMMAND WORD...: sets `chapter`, `number`, `k`, `file` (the exercise) and `rest` (further words) from
# 05 1, 05.1, or 05 alone: then the first exercise that is left.
choose_exercise() {
  local command=$1 word
  shift
  while (($# > 0)) && own_flag "$command" "$1"; do shift; done
  (($# > 0)) || fail 2 "attend $command: which chapter? ./attend lists them." "example: ./attend $command 03 1"
  word=$1
  k=''
  shift
  if [[ $word =~ ^(.+)\.([0-9]+)$ ]]; then
    word=${BASH_REMATCH[1]}
    k=${BASH_REMATCH[2]}
  elif [[ ${1:-} =~ ^[0-9]+$ ]]; then
    k=$1
    shift
  fi
  resolve "$word"
  rest=("$@")
  find_exercises
  seat_ready
  [[ -n $k ]] || k=$(seat next "$number")
  exercise_file "$k"
}

# no_more COMMAND: an error where choose_exercise left words.
no_more() {
  ((${#rest[@]} == 0)) || fail 2 "attend $1: what is '${rest[0]}'?" "example: ./attend $1 03 1"
}

hint_command() {
  choose_exercise hint "$@"
  no_more hint
  printf '%s\n\n' "${bold}exercise $k of chapter $number: ${file#"$root/"}${plain}"
  seat hint "$number.$k"
}

quiz_command() {
  while (($# > 0)) && own_flag quiz "$1"; do shift; done
  (($# > 0)) || fail 2 "attend quiz: which chapter? ./attend lists them." "example: ./attend quiz 03"
  (($# == 1)) || fail 2 "attend quiz: what is '$2'?" "example: ./attend quiz 03"
  resolve "$1"
  seat_ready
  seat quiz "$number" || return
  next_step
}

# below_its_comment FILE: without the comment at its top, which says what to do and is no part of a solution.
below_its_comment() { awk '!/^\/\// { below = 1 } below' "$1"; }

# show_difference: from the reader's file to the solution, which calls itself by another name for its check.
show_difference() {
  local colours=never
  [[ -z $bold ]] || colours=always
  if diff -u --color="$colours" --label yours --label solution \
    <(below_its_comment "$file") \
    <(below_its_comment "${file/exercise_/solution_}" | sed 's/{"the solution", /{"yours", /'); then
    printf '%s\n' "There is none: yours is the solution."
  fi
}

solution_command() {
  local give_up=false
  local word
  local -a words=()
  extra_flags=(--give-up)
  for word in "$@"; do
    if [[ $word == --give-up ]]; then give_up=true; else words+=("$word"); fi
  done
  choose_exercise solution "${words[@]}"
  no_more solution
  if ! seat has finished "$number.$k"; then
    $give_up || fail 1 "attend solution: exercise $k of chapter $number is not solved yet." \
      "./attend hint $number $k gives a hint; --give-up shows the solution all the same."
    note given-up "$number.$k"
  fi
  printf '%s\n\n' "${bold}${file#"$root/"}: from yours to the solution${plain}"
  show_difference
}

# record_of NUMBER ARGUMENT...: the file in which a run of the chapter leaves its record; runs with the same arguments
# share it. Where pages go does not count.
record_of() {
  local name=$1
  shift
  while (($# > 0)); do
    case $1 in
      --report | --picture) shift ;;
      *) name+="-${1#--}" ;;
    esac
    (($# == 0)) || shift
  done
  printf '%s\n' "$build/../runs/${name//[^[:alnum:].-]/_}.json"
}

compare_command() {
  local name
  local -a runs=() files=()
  while (($# > 0)) && own_flag compare "$1"; do shift; done
  for name in "$build"/../runs/*.json; do
    [[ ! -e $name ]] || runs+=("$(basename "$name" .json)")
  done
  ((${#runs[@]} > 0)) || fail 2 "attend compare: there is no run yet. ./attend run 05 leaves one."
  if (($# != 2)); then
    fail 2 "attend compare takes two runs." "$(wrapped There are: "${runs[@]}")" \
      "example: ./attend compare 05 05-break-causal-mask"
  fi
  for name in "$@"; do
    [[ " ${runs[*]} " == *" $name "* ]] ||
      fail 2 "attend compare: run '$name' has not been made yet; ./attend run makes it." "$(wrapped There are: "${runs[@]}")"
    files+=("$build/../runs/$name.json")
  done
  seat_ready
  seat compare "${files[@]}"
}

# ---- watch ----------------------------------------------------------------------------------------------------------

# verdict: checks the exercise as it is now, and says which keys there are.
verdict() {
  local code=0
  # What the terminal is called may be known to nobody here; then it just goes on below.
  if $on_terminal && [[ -t 0 && ${TERM:-dumb} != dumb ]]; then clear 2>/dev/null || true; fi
  (take_workers_along; check_exercise "$k") || code=$?
  solved=false
  ((code != 0)) || solved=true
  asked_for_solution=false
  $keys || return 0
  if $solved; then
    printf '\n%s\n' "n next exercise · d difference to the solution · h hints · x reset · q quit"
  else
    printf '\n%s\n' "Waiting until you save it." \
      "h hint · d difference to the solution · x reset · n next exercise · q quit"
  fi
}

# put_back: the exercise as it was shipped; the reader's file is kept.
put_back() {
  local kept=$root/.attend/kept/${file##*/}.$(date +%Y-%m-%d_%H.%M.%S) shipped
  if ! shipped=$(git -C "$root" show "HEAD:${file#"$root/"}" 2>/dev/null); then
    say "This is no git clone: the exercise as it was shipped is not here."
    return
  fi
  if [[ ! -e $file ]]; then
    printf '%s\n' "$shipped" >"$file"
    say "Reset. There was none to keep."
    return
  fi
  if ! { mkdir -p "${kept%/*}" && cp "$file" "$kept"; }; then
    say "It is not reset, for yours could not be kept (see above)."
    return
  fi
  printf '%s\n' "$shipped" >"$file"
  say "Reset. Yours is kept: ${kept#"$root/"}"
}

# exercise_after K: the exercise of the chapter behind that one; nothing behind the last.
exercise_after() {
  local i
  for i in "${!exercises[@]}"; do
    [[ ${exercises[i]} != "$1" ]] || printf '%s\n' "${exercises[i + 1]:-}"
  done
}

# answer_key KEY: returns 1 to stop watching.
answer_key() {
  case $1 in
    q) return 1 ;;
    h) seat hint "$number.$k" || true ;;
    d)
      if $asked_for_solution || seat has finished "$number.$k"; then
        note given-up "$number.$k"
        show_difference
      else
        asked_for_solution=true
        say "It is not solved yet. d once more shows the solution all the same."
      fi
      ;;
    x) put_back ;;
    n)
      local next
      next=$(exercise_after "$k")
      if [[ -z $next ]]; then
        say "That was the last exercise of chapter $number. ./attend shows what comes next."
        return 1
      fi
      exercise_file "$next"
      saved=''
      ;;
  esac
}

# Without a terminal on standard input there are no keys: it ends when the exercise is solved.
watch_command() {
  local keys=false solved=false asked_for_solution=false saved='' now key
  choose_exercise watch "$@"
  no_more watch
  if [[ -t 0 ]]; then
    keys=true
    terminal_before=$(stty -g)
    trap 'stty "$terminal_before"' EXIT
    stty -echo  # keys that are pressed during a check
  else
    say "attend watch: no terminal, so no keys; it ends when the exercise is solved, or with Ctrl-C."
  fi
  while true; do
    now=$(stat -c '%.9Y %s' "$file" 2>/dev/null || true)  # an editor may be just replacing it
    if [[ -n $now && $now != "$saved" ]]; then
      saved=$now
      verdict
      if $solved && ! $keys; then
        next_step
        return
      fi
    fi
    key=''
    if $keys; then
      read -rsn1 -t 0.2 key || true
      answer_key "$key" || break
    else
      sleep 0.2
    fi
  done
  $solved
}
