internal import ArgumentParser
internal import MessageShell

struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print what completes this command in a shell.",
    discussion: """
      Examples:
        source <(scrollback completions bash)
        scrollback completions zsh >~/.zfunc/_scrollback
        scrollback completions fish >~/.config/fish/completions/scrollback.fish
      """)

  /// The shells for which there are completions.
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var completed: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "Which shell: bash, zsh or fish.")
  var shell: Shell

  func run() {
    let console = Console()
    console.write(Scrollback.completionScript(for: shell.completed) + "\n")
    console.flush()
  }
}
