# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of bash for `fletcher`. A test compares the options with what `fletcher --help` lists.

_fletcher() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} options i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run explore fix render merge diff options doctor --help --version" -- "$word")
    return
  fi
  # What stands behind "--" is another program's command line.
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = -- ] || continue
    if declare -F _command_offset >/dev/null; then _command_offset $((i + 1))
    elif [ "$COMP_CWORD" -eq $((i + 1)) ]; then mapfile -t COMPREPLY < <(compgen -A command -A file -- "$word")
    else mapfile -t COMPREPLY < <(compgen -A file -- "$word")
    fi
    return
  done
  case $command:$previous in
  render:--color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word"); return ;;
  *:--source-root | explore:--keep) mapfile -t COMPREPLY < <(compgen -A directory -- "$word"); return ;;
  run:--threads | run:--exitcode | run:--options | fix:--build) return ;;
  explore:--runs | explore:--time | explore:--patience | explore:--limit | explore:--threads) return ;;
  explore:--seed | explore:--exitcode | explore:--options) return ;;
  esac
  case $command in
  run) options="--sarif --html --text --graph --advise --collect --threads --exitcode --options --help --" ;;
  explore)
    options="--runs --time --patience --limit --threads --seed --keep --text --sarif --html --suppressions --baseline
             --exitcode --options --help --"
    ;;
  fix) options="--build --dry-run --force --source-root --suppressions --help --" ;;
  render)
    options="--document --text --sarif --html --color --symbolizer --source-root --suppressions --ignorelist --baseline
             --group --no-group --quiet --verbose --check --help"
    ;;
  merge)
    options="--text --sarif --html --junit --gitlab --github --source-root --suppressions --ignorelist --baseline --quiet
             --help"
    ;;
  diff) options="--source-root --suppressions --help" ;;
  options | doctor) options="--help" ;;
  esac
  if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else mapfile -t COMPREPLY < <(compgen -A file -- "$word")
  fi
}

complete -o filenames -F _fletcher fletcher
