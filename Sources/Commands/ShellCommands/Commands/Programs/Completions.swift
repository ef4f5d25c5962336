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
