internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `backup`: copies the store into a new file.
struct Backup: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into a new file, while it may be in use, and check the copy.",
    discussion: """
      The copy is checked by SQLite (integrity_check), and its ordinals and totals are compared with its messages. \
      `scrollback check -s COPY` compares everything else, too: checksums, the search index, attached files.

      `scrollback restore` puts the copy in the place of the store.

      Example:
        scrollback backup "chats-$(date +%F).db"
      """)

  @Argument(help: "The new file.", completion: .file()) var file: String
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell)
    defer { store.close() }
    shell.listenForInterruption()
    let console = common.console(in: shell)
    let count = try LongWork.run(console, "copying") { tell in
      try store.backup(to: file) { tell($0 < 1 ? "\(Int($0 * 100)) %" : "checking the copy") }
    }
    console.note(
      """
      copied \(NumberText.counted(count, "message")) to \(VisibleText.of(file)); the file is sound, its counts agree with \
      its messages
      """)
    return .done
  }
}
