# SPDX-License-Identifier: Apache-2.0
# Prints the completions that zsh offers at the tab key: `zsh -f complete.zsh FOLDER WORDS` prints "@MATCH" for each match,
# FOLDER having the completions. Completion lives in the line editor, so a shell of its own gets a terminal; there compadd tells
# what it is given.
zmodload zsh/zpty
zpty shell zsh -f -i

cat > $1/told.zsh <<'EOF'
compadd() {
  if [[ "$*" == *-[OAD]\ * ]]; then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -rl -- "@"$^found
}
give() { comppostfuncs=(finish); _main_complete; }
finish() { print -r -- @LA''ST; }
zle -C give complete-word give
bindkey '^I' give
EOF

zpty -w shell "PS1= ; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; source $1/told.zsh; print @REA''DY"
while zpty -r shell line; do [[ $line == *@READY* ]] && break; done
zpty -w -n shell "$2"$'\t'
while zpty -r shell line; do
  [[ $line == *@LAST* ]] && break
  print -r -- $line
done
zpty -d shell
