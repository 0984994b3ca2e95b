# SPDX-License-Identifier: BSD-3-Clause
# Completion of `orrery` for bash from 4.3 on: `orrery complete` knows the candidates. It asks the
# orrery of the PATH, whatever program the line names, so that nothing runs before the line does.
_orrery() {
  local -a words=()
  local word joined= last begun i

  # Bash cuts words at these signs.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $joined || $word == [=:]* ]] && ((${#words[@]} > 0)); then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == *[=:] ]] && joined=yes || joined=
  done
  last=${words[-1]}
  begun=${last%"${last##*[=:]}"}

  COMPREPLY=()
  while IFS= read -r word; do
    case $word in
    ':files .'*)
      compopt -o filenames -o plusdirs
      mapfile -t COMPREPLY < <(compgen -f -X "!*${word#:files }" -- "${last#"$begun"}")
      ;;
    :files) compopt -o default ;;
    :directories) compopt -o dirnames ;;
    *)
      word=${word%%$'\t'*}
      [[ $word == *[=.] ]] && compopt -o nospace
      COMPREPLY+=("${word#"$begun"}")
      ;;
    esac
  done < <(command orrery complete -- "${words[@]}" 2>/dev/null)
}
complete -F _orrery orrery
