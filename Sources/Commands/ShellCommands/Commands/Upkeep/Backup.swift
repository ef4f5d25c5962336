internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Backup: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "backup",
    abstract: "Copy the store into a new file, while it may be in use, and check the copy.",
    discussion: """
      The copy is checked by SQLite (integrity_check), and its ordinals and totals are compared with its messages. \
      `scrollback check -s COPY` compares everything else, too: checksums, the search index, attached files.

      `scrollback restore` replaces the store with the copy.

      With --age the program age encrypts the copy, so that only the owner of the key can read it: a tar archive of the store and \
      its attached files. Keys are made by `age-keygen -o key.txt`.

      Examples:
        scrollback backup "chats-$(date +%F).db"
        scrollback backup --age recipients.txt chats.age
      """)

  @Argument(help: "The new file.", completion: .file()) var file: String
  @Option(
    name: .customLong("age"),
    help: ArgumentHelp(
      "Encrypt by age for this key (age1…, ssh-…) or the keys in this file. May be repeated.",
      valueName: "recipient"), completion: .file())
  var recipients: [String] = []
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.readableStore(in: shell)
    defer { store.close() }
    shell.listenForInterruption()
    let console = common.console(in: shell)
    if !recipients.isEmpty {
      let count = try LongWork.run(console, "copying") { tell in
        try SealedBackup(file, in: shell).pack(store, for: recipients, tell)
      }
      console.note(
        """
        copied \(NumberText.counted(count, "message")) to \(VisibleText.of(file)), encrypted by age; the copy was checked \
        before that
        """)
      return .done
    }
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
