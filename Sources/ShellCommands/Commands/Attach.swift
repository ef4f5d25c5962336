internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Attach: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Attach files to a message.",
    discussion: """
      The files are copied into the store: up to 100 KB into the database, larger ones beside it, each content once.

      Example:
        scrollback attach '#7022857543691537' photo.jpg notes.pdf
      """)

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("What to attach.", valueName: "file"))
  var files: [String]

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    let store = try common.writableStore(in: shell)
    defer { store.close() }
    for id in ids { try AttachmentCommands.attach(store, id, files: files, common.console(in: shell)) }
    return .done
  }
}

struct Save: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Write what is attached to a message into a folder.",
    discussion: "Names are made safe, and nothing that is there is written over. The paths are printed.")

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"))
  var folder: String

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    let store = try MessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    return try AttachmentCommands.save(store, ids, to: folder, common.console(in: shell))
  }
}
