internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Restore: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "restore",
    abstract: "Replace the store with a backup.",
    discussion: """
      Everything that is only in the present store, and not in the backup, is lost for good. On a terminal you are \
      asked first. A file that is not an intact store is refused, and the store stays as it was.

      A backup made with --age is decrypted beside the store first, and checked like any other.

      Examples:
        scrollback restore chats.db
        scrollback restore --identity key.txt chats.age
      """)

  @Argument(help: "The backup.", completion: .file()) var file: String
  @Option(
    name: [.short, .customLong("identity")],
    help: ArgumentHelp(
      "The file with the key of a backup that age encrypted. May be repeated.", valueName: "file"),
    completion: .file())
  var identities: [String] = []
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let path = try common.path(in: shell, toWrite: true)
    let console = common.console(in: shell)
    let sealed = SealedBackup(file, in: shell)
    let stage = sealed.isSealed ? try sealed.unpack(beside: path, by: identities) : nil
    defer { stage?.remove() }
    let backup = stage?.store ?? file
    let count: Int
    do {
      if FileManager.default.fileExists(atPath: path) {
        try confirmation.ask(try plan(path, backup), in: shell, console)
      }
      count = try LongWork.run(console, "restoring") { _ in
        try SynchronousMessageStore.restore(backup, to: path)
      }
    } catch var error as StoreError where error.kind == .noSuchStore {
      error.remedy = "a file made by scrollback backup"
      throw error
    }
    console.note(
      "restored \(NumberText.counted(count, "message")) to \(VisibleText.of(path))")
    return .done
  }

  private func plan(_ path: String, _ file: String) throws -> [String] {
    let backup = try SynchronousMessageStore(path: file, options: .readOnly)
    defer { backup.close() }
    // The present store may be damaged: that is when a backup is needed.
    let present = try? SynchronousMessageStore(path: path, options: .readOnly)
    defer { present?.close() }
    let count = try? present?.statistics().messageCount
    let goes = count.map { NumberText.counted($0, "message") } ?? "messages that cannot be counted"
    return [
      "This puts \(NumberText.counted(try backup.statistics().messageCount, "message")) of '\(VisibleText.of(self.file))' "
        + "in the place of '\(VisibleText.of(path))' with \(goes).",
      "Everything that is only in the present store will be lost.",
    ]
  }
}
