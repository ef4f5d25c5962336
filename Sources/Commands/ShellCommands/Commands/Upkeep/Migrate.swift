internal import ArgumentParser
internal import ChatSession
internal import HistoryTransfer
internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

struct Migrate: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "migrate",
    abstract: "Move large contents out of rows into files.",
    discussion: """
      Without --source, contents beyond 100 KB that lie within the store (import --inline) and texts beyond 16 MB that \
      an older version kept whole. With --source: the values of a column of any SQLite table; each row becomes a \
      message of the conversation, with an attachment, and the value leaves the row once its copy has been compared. \
      Interrupted, run it again to continue.

      Examples:
        scrollback migrate --dry-run
        scrollback migrate --source cards.db --table card --column picture
      """)

  @Flag(help: "Show what would be moved, without moving.")
  var dryRun = false

  @Flag(help: "Make no backup first.")
  var noBackup = false

  @Option(help: ArgumentHelp("Another SQLite file.", valueName: "file"), completion: .file())
  var source: String?

  @Option(help: ArgumentHelp("Its table.", valueName: "name"))
  var table: String?

  @Option(help: ArgumentHelp("The column with the large values.", valueName: "name"))
  var column: String?

  @Option(help: ArgumentHelp("The column with a text.", valueName: "column"))
  var text: String?

  @Option(help: ArgumentHelp("The column with a name for the file.", valueName: "column"))
  var name: String?

  @Option(help: ArgumentHelp("The column with a sender.", valueName: "column"))
  var sender: String?

  @Option(help: ArgumentHelp("The column with a time, in (milli)seconds since 1970.", valueName: "column"))
  var time: String?

  @Flag(help: "Leave the values in the table.")
  var keep = false

  @OptionGroup var target: OneConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let parts = [source, table, column].compactMap { $0 }
    guard parts.isEmpty || parts.count == 3 else {
      throw ValidationError("--source, --table and --column are needed together")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    var foreign: ForeignTable?
    if let source, let table, let column {
      foreign = ForeignTable(
        path: source, table: table, column: column, textColumn: text, nameColumn: name, senderColumn: sender,
        timeColumn: time)
    }
    let command = MigrateCommand(
      table: foreign, conversation: target.conversation, keeps: keep, isDryRun: dryRun, makesBackup: !noBackup
    )
    let access: StoreOptions.Access = foreign != nil && !dryRun ? .create : .readWrite
    let store = try common.writableStore(in: shell, StoreOptions(access: access))
    defer { store.close() }
    shell.listenForInterruption()
    return try command.run(store, common.console(in: shell))
  }
}

struct MigrateCommand: Sendable {
  /// `nil` for the store's own rows.
  var table: ForeignTable?
  /// By default named after the table.
  var conversation: String?
  var keeps: Bool
  var isDryRun: Bool
  var makesBackup: Bool

  /// Moves contents until done or Ctrl-C; running it again continues.
  func run(_ store: SynchronousMessageStore, _ console: Console) throws -> ExitStatus {
    if let table { return try move(table, into: store, console) }
    let movable = try store.movableContents()
    guard !movable.isEmpty, !isDryRun else {
      if movable.isEmpty, !isDryRun { try store.endMoving() }
      console.note(movable.isEmpty ? "there is nothing to move" : "would move \(Self.text(of: movable))")
      return .done
    }
    if makesBackup {
      let place = try LongWork.run(console, "copying the store as it is") { tell in
        try store.backupBeforeMoving { tell("\(Int($0 * 100)) %") }
      }
      console.note("the store as it was, checked: \(VisibleText.of(place, keepsTabs: false))")
    }
    let moved = try LongWork.run(console, "moving") { tell in
      try store.moveContents { tell(Self.text(of: $0)) }
    }
    try store.endMoving()
    store.makeMissingPictures(by: PictureSupport.maker) { Interruption.isAskedFor }
    console.note("moved \(Self.text(of: moved)); `scrollback compact` frees the space")
    guard moved.damagedCount > 0 else { return .done }
    console.note(
      "\(NumberText.counted(moved.damagedCount, "content")) stayed: not what they were (scrollback check)")
    return .incomplete
  }

  private static func text(of contents: MovableContents) -> String {
    var parts = [
      "\(NumberText.counted(contents.contentCount, "content")) (\(NumberText.bytes(contents.contentByteCount)))"
    ]
    if contents.textCount > 0 {
      parts.append(
        "\(NumberText.counted(contents.textCount, "text")) (\(NumberText.bytes(contents.textByteCount)))")
    }
    return parts.joined(separator: ", ")
  }

  private func move(_ table: ForeignTable, into store: SynchronousMessageStore, _ console: Console) throws
    -> ExitStatus
  {
    try store.files.spare(table.path, doing: "cannot move values out of '\(table.path)'")
    let source = try ForeignTableMove(table)
    let movable = try source.movable()
    let text = "\(NumberText.counted(movable.rowCount, "row")) (\(NumberText.bytes(movable.byteCount)))"
    if isDryRun || movable.rowCount == 0 {
      console.note(movable.rowCount == 0 ? "there is nothing to move" : "would move \(text)")
      return .done
    }
    if makesBackup, !keeps {
      console.note("the file as it was, checked: \(VisibleText.of(try source.backup(), keepsTabs: false))")
    }
    let name = conversation ?? table.table
    let target = try store.conversation(named: name) ?? store.makeConversation(named: name)
    let moved = try LongWork.run(console, "moving") { tell in
      try source.run(into: store, target.id, keeps: keeps) {
        tell("\(NumberText.counted($0.rowCount, "row")) (\(NumberText.bytes($0.byteCount)))")
      }
    }
    store.makeMissingPictures(by: PictureSupport.maker) { Interruption.isAskedFor }
    console.note(
      "moved \(NumberText.counted(moved.rowCount, "row")) (\(NumberText.bytes(moved.byteCount))) to '\(name)'"
        + (moved.knownCount > 0 ? ", \(NumberText.grouped(moved.knownCount)) of them begun earlier" : ""))
    return .done
  }
}
