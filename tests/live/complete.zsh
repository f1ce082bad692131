# SPDX-License-Identifier: GPL-2.0-only
#
# complete.zsh FOLDER LINE: types LINE into an interactive zsh that finds the
# completions in FOLDER, pressing the key where LINE says TAB, and prints the
# arguments that clocktop was then run with, each in brackets.
if [[ $1 == --inner ]]; then
	# sourced by the inner shell
	PS1=REA''DY RPS1= PROMPT_EOL_MARK=
	unsetopt zle_bracketed_paste beep
	fpath=($2 $fpath)
	autoload -U compinit
	compinit -u -D
	zstyle ':completion:*' insert-tab false # although all is typed at once
	clocktop() {
		print -r -- "RAN${(j::)${(@)argv/(#m)*/<$MATCH>}}NAR"
	}
	setopt extended_glob
	return
fi

zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner "source ${(q)0} --inner ${(q)1}"
zpty -r -m inner seen '*READY*' # the line editor listens
tab=$'\t'
zpty -w inner "${2//TAB/$tab}"
zpty -r -m inner seen '*RAN*NAR*'
zpty -d inner
[[ $seen == (#b)*RAN(*)NAR* ]] && print -r -- $match[1]
