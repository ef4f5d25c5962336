internal import ArgumentParser
internal import ChatSession
internal import MessageStorage
internal import TerminalText

struct Star: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "star",
    abstract: "Star messages; is:starred finds them.",
    discussion: """
      Stars are yours: JSON Lines and backups have them, exports to other formats do not. `unstar` removes them.

      Examples:
        scrollback star '#7022857543691537'
        scrollback search is:starred
      """)

  @OptionGroup var messages: ChangedMessages

  func run(in shell: Shell) throws -> ExitStatus {
    try messages.change(in: shell) { store, ids, console in
      console.note("starred \(NumberText.counted(try store.star(ids).count, "message"))")
    }
  }
}

struct Unstar: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "unstar",
    abstract: "Remove the stars of messages.",
    discussion: """
      Example:
        scrollback unstar '#7022857543691537'
      """)

  @OptionGroup var messages: ChangedMessages

  func run(in shell: Shell) throws -> ExitStatus {
    try messages.change(in: shell) { store, ids, console in
      let count = try store.unstar(ids).count
      let stars = count == 1 ? "star" : "stars"
      console.note("removed the \(stars) of \(NumberText.counted(count, "message"))")
    }
  }
}
