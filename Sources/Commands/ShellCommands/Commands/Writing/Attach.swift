internal import ArgumentParser
internal import ChatSession
internal import HistoryTransfer
internal import MessageModel
internal import MessagePictures
internal import MessageStorage

struct Attach: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "attach",
    abstract: "Attach files to a message.",
    discussion: """
      The files are copied into the store: up to 100 KB into the database, larger ones beside it, each content once.

      Example:
        scrollback attach '#7022857543691537' photo.jpg notes.pdf
      """)

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("What to attach.", valueName: "file"), completion: .file())
  var files: [String]

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    return try common.change(in: shell) { store, console in
      for id in ids { try attach(id, in: store, console) }
    }
  }

  private func attach(
    _ id: Message.ID, in store: SynchronousMessageStore, _ console: Console
  ) throws {
    let before = Set(try store.attachments(of: id).indices)
    let facts = try store.attach(files.map { NewAttachment(file: $0) }, to: id)
    for file in facts.dropFirst(before.count) { console.note("attached \(AttachmentText.text(of: file))") }
    store.makeMissingPictures(by: PictureSupport.maker)
  }
}
