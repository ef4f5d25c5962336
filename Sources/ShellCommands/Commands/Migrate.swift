internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Migrate: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Take large contents out of rows into files.",
    discussion: """
      Without --source: contents beyond 100 KB that lie within the store (import --inline) and texts beyond 16 MB that
      an older version kept whole. With --source: the values of a column of any SQLite table; each row becomes a
      message with an attachment, and the value leaves the row once its copy has been compared.
      Interrupted, the same again goes on.

      Examples:
        scrollback migrate --dry-run
        scrollback migrate --source cards.db --table card --column picture --text title --time created
      """)

  @Flag(help: "Only say what would be moved.")
  var dryRun = false

  @Flag(help: "Make no backup first.")
  var noBackup = false

  @Option(help: ArgumentHelp("Another SQLite file.", valueName: "file"))
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

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The conversation for the rows of the table.", valueName: "name"))
  var conversation: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    let parts = [source, table, column].compactMap { $0 }
    guard parts.isEmpty || parts.count == 3 else {
      throw ValidationError("--source, --table and --column belong together")
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
      table: foreign, conversation: conversation, keeps: keep, isDryRun: dryRun, makesBackup: !noBackup)
    let access: StoreOptions.Access = foreign != nil && !dryRun ? .create : .readWrite
    let store = try common.writableStore(in: shell, StoreOptions(access: access))
    defer { store.close() }
    shell.listenForInterruption()
    return try command.run(store, common.console(in: shell))
  }
}
