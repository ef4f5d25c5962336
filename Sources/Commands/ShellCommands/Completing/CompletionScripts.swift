/// The scripts by which each shell completes a command line.
///
/// The scripts hold no names and evaluate none: they hand what was typed to the program and what it answers to the shell, as
/// words. Names come from histories that others wrote, and bash's `compgen -W`, for one, runs what stands in them.
///
/// The program answers with a line that says where words come from (`words`, `files`, `folders`), and one for each word.
enum CompletionScripts {
  /// The word that the program is asked with; no name of a command or conversation.
  static let request = "---complete"

  /// Returns arguments that ask for a script the way all programs with ArgumentParser understand, as ours; others as they are.
  ///
  /// Its own script for bash would have names evaluated.
  static func asked(by arguments: [String]) -> [String] {
    let asking = "--generate-completion-script"
    if arguments.first == asking { return ["completions"] + arguments.dropFirst() }
    guard let joined = arguments.first, joined.hasPrefix(asking + "=") else { return arguments }
    return ["completions", String(joined.dropFirst(asking.count + 1))] + arguments.dropFirst()
  }

  /// bash: the program knows what is quoted how, and answers with what is to be typed behind the word that readline sees.
  static let bash = """
    # Completes scrollback in bash. No name in a history is ever evaluated.
    _scrollback() {
      local kind rest program="${1/#\\~\\//$HOME/}"
      COMPREPLY=()
      while IFS= read -r rest; do
        if [ -z "$kind" ]; then kind=$rest; else COMPREPLY+=("$2$rest"); fi
      done < <("$program" \(request) bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      case $kind in
      files) compopt -o default 2>/dev/null ;;
      folders) compopt -o dirnames 2>/dev/null ;;
      esac
    }
    # Where nothing can be said of a single word, paths are offered for all.
    if [ "${BASH_VERSINFO[0]}" -ge 4 ]; then complete -F _scrollback scrollback
    else complete -o default -F _scrollback scrollback; fi

    """

  /// zsh: `compadd` compares and quotes.
  static let zsh = """
    #compdef scrollback
    # Completes scrollback in zsh. No name in a history is ever evaluated.
    _scrollback() {
      emulate -L zsh
      local line tab=$'\\t'
      local -a given answer found shown
      (( CURRENT > 2 )) && given=("${(@Q)words[2,CURRENT-1]}")
      answer=("${(@f)$("${(Q)words[1]/#\\~\\//$HOME/}" \(request) zsh "${given[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
      case $answer[1] in
      files) compset -P '--*='; _files ;;
      folders) compset -P '--*='; _files -/ ;;
      words)
        for line in "${(@)answer[2,-1]}"; do
          [[ -n $line ]] || continue
          found+=("${line%%$tab*}")
          [[ $line == *$tab* ]] && shown+=("${line%%$tab*}  -- ${line#*$tab}")
        done
        if (( $#shown )) && (( $#shown == $#found )); then compadd -l -d shown -a -- found
        else compadd -a -- found; fi ;;
      esac
    }
    if [[ $funcstack[1] == _scrollback ]]; then _scrollback "$@"; else compdef _scrollback scrollback; fi

    """

  /// fish: it compares and quotes what a function prints, a word a line, what it is behind a tab.
  static let fish = """
    # Completes scrollback in fish. No name in a history is ever evaluated.
    function __scrollback_complete
        set -l given (commandline -opc)
        set -l word (commandline -ct)
        set -l answer (command scrollback \(request) fish $given[2..] "$word" 2>/dev/null)
        switch "$answer[1]"
            case files
                __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$word")
            case folders
                __fish_complete_directories (string replace -r -- '^--[^=]*=' '' "$word")
            case words
                for line in $answer[2..]
                    printf '%s\\n' $line
                end
        end
    end
    complete -c scrollback -f -a '(__scrollback_complete)'

    """
}
