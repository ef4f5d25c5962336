internal import ArgumentParser
internal import ChatSession
internal import MessageStorage

struct Import: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "import",
    abstract: "Import histories into the store.",
    discussion: """
      Files, folders, archives and compressed files are read as they are; - is standard input. \
      Messages that are already in the store are not imported twice.

      Examples:
        scrollback import logs/
        scrollback import --into general --time-zone Europe/Berlin chat.log
        scrollback import --me Ann ~/.claude/projects ~/.codex/sessions
        zcat export.jsonl.gz | scrollback import -
        scrollback import --map time=when,sender=who,text=what --dry-run table.csv
      """)

  @Argument(help: ArgumentHelp("Files, folders or -.", valueName: "path"), completion: .file())
  var paths: [String]

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Show what would be imported, without importing (duplicates not checked).")
  var dryRun = false

  @Flag(help: "With --dry-run, also show the keys, without contents, of records that were not understood.")
  var report = false

  @Flag(help: "Keep attached files of any size within the store's one file.")
  var inline = false

  @Option(help: ArgumentHelp("Write what was skipped to a file.", valueName: "file"), completion: .file())
  var rejects: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if report, !dryRun { throw ValidationError("--report needs --dry-run") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let options = try reading.options(zone: try common.zone(in: shell), in: shell)
    let files = StoreFiles(ofStoreAt: try common.path(in: shell, toWrite: true))
    shell.listenForInterruption()
    if dryRun {
      let preview = ImportPreview(
        paths: paths, options: options, rejects: rejects, files: files, reportsUnread: report)
      return try preview.run(common.console(in: shell))
    }
    shell.prepareForImport()
    var storeOptions = StoreOptions()
    if inline { storeOptions.inlineByteCount = StoreOptions.maxInlineByteCount }
    var store: SynchronousMessageStore?
    defer { store?.close() }
    let command = ImportCommand(paths: paths, options: options, rejects: rejects, sparing: files)
    return try command.run(common.console(in: shell)) { [common, storeOptions] in
      let opened = try common.writableStore(in: shell, storeOptions)
      store = opened
      return opened
    }
  }
}

extension ImportCommand {
  /// The first Ctrl-C stops after a whole record. Unreadable input does not open, and so create, a store.
  func run(_ console: Console, into open: @escaping () throws -> SynchronousMessageStore) throws -> ExitStatus
  {
    let outcome = try load(
      into: open, note: { console.note($0) }, redraw: { console.redraw($0) },
      isCancelled: { Interruption.isAskedFor })
    for line in outcome.skipped { console.note(line) }
    console.note(outcome.summary)
    return outcome.status
  }
}
