internal import ArgumentParser
internal import ChatSession

struct Manual: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "manual",
    abstract: "Print the manual page, for man.",
    discussion: """
      `make install` installs it.

      Example:
        scrollback manual >scrollback.1
      """)

  func run(in shell: Shell) throws -> ExitStatus {
    let console = Console(in: shell)
    console.write(try ManualPage.text())
    console.flush()
    return .done
  }
}
