internal import ArgumentParser
internal import ChatSession

struct Completions: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "completions",
    abstract: "Print a completion script for a shell.",
    discussion: """
      Examples:
        source <(scrollback completions bash)
        scrollback completions zsh >~/.zfunc/_scrollback
        scrollback completions fish >~/.config/fish/completions/scrollback.fish
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var script: String {
      switch self {
      case .bash: CompletionScripts.bash
      case .zsh: CompletionScripts.zsh
      case .fish: CompletionScripts.fish
      }
    }
  }

  @Argument(help: "Which shell: bash, zsh or fish.")
  var shell: Kind

  func run(in world: Shell) -> ExitStatus {
    let console = Console(in: world)
    console.write(shell.script)
    console.flush()
    return .done
  }
}

/// The completion scripts of the shells. The scripts contain no names and evaluate none: they pass the typed
/// words to the program and its output to the shell as words. Names come from histories that others wrote,
/// and bash's `compgen -W`, for one, executes code in them. The program prints the kind of completion
/// (`words`, `files`, `folders`), then a word per line.
enum CompletionScripts {
  /// The argument that requests completion; no command or conversation has this name.
  static let request = "---complete"

  /// Turns ArgumentParser's option for completion scripts into `completions`; returns other arguments
  /// unchanged. ArgumentParser's own bash script would evaluate names.
  static func asked(by arguments: [String]) -> [String] {
    let asking = "--generate-completion-script"
    if arguments.first == asking { return ["completions"] + arguments.dropFirst() }
    guard let joined = arguments.first, joined.hasPrefix(asking + "=") else { return arguments }
    return ["completions", String(joined.dropFirst(asking.count + 1))] + arguments.dropFirst()
  }

  /// The program handles quoting: it prints the text to insert after the word that readline sees.
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

  /// `compadd` matches and quotes.
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

  /// fish matches and quotes what a function prints: a word per line, with its description after a tab.
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
