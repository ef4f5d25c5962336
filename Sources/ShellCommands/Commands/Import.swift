internal import ArgumentParser
internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage

struct Import: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take histories into the store.",
    discussion: """
      Files, folders, archives and compressed files are read as they are; - is standard input. \
      What is there already is not taken in twice.

      Examples:
        scrollback import logs/
        scrollback import --into general --time-zone Europe/Berlin chat.log
        scrollback import --me Ann ~/.claude/projects ~/.codex/sessions
        zcat export.jsonl.gz | scrollback import -
        scrollback import --map time=when,sender=who,text=what --dry-run table.csv
      """)

  @Argument(help: ArgumentHelp("Files, folders or -.", valueName: "path"), completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp("The format; told by the content if left out.", valueName: "name"),
    completion: ValueCompletions.importFormats)
  var format: String?

  @Option(
    help: ArgumentHelp("The conversation that everything goes into.", valueName: "conversation"),
    completion: ValueCompletions.conversations)
  var into: String?

  @Option(help: ArgumentHelp("The day of a log that tells only the time of day.", valueName: "yyyy-mm-dd"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "What numbers like 05/06/24 mean: dmy, mdy or ymd; concluded from WhatsApp's files if left out.",
      valueName: "order"), completion: .list(ImportOptions.DateOrder.allCases.map(\.rawValue)))
  var dateOrder: String?

  @Option(
    help: ArgumentHelp(
      "Which column or key holds what: time, sender, text, conversation, id, kind.",
      valueName: "role=name,…"))
  var map: [String] = []

  @Option(help: ArgumentHelp("The encoding of lines that are not UTF-8.", valueName: "name"))
  var encoding: String?

  @Option(help: ArgumentHelp("Your name, where the history says only that it was you.", valueName: "name"))
  var me: String?

  @Flag(help: "Keep the record that each message was read from.")
  var keepOriginal = false

  @Flag(help: "Take also what claims to be written more than a day from now.")
  var allowFuture = false

  @Flag(help: "Only say what would be imported, were nothing of it there already.")
  var dryRun = false

  @Flag(help: "Keep attached files of any size within the store's one file.")
  var inline = false

  @Option(help: ArgumentHelp("Write what was skipped to a file.", valueName: "file"), completion: .file())
  var rejects: String?

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let options = try options(in: shell)
    let files = StoreFiles(ofStoreAt: common.path(in: shell))
    shell.listenForInterruption()
    if dryRun {
      let preview = ImportPreview(paths: paths, options: options, rejects: rejects, sparing: files)
      return try preview.run(common.console(in: shell))
    }
    shell.prepareForImport()
    var storeOptions = StoreOptions()
    if inline { storeOptions.inlineByteCount = StoreOptions.greatestInlineByteCount }
    var store: SynchronousMessageStore?
    defer { store?.close() }
    let command = ImportCommand(paths: paths, options: options, rejects: rejects, sparing: files)
    return try command.run(common.console(in: shell)) { [common, storeOptions] in
      let opened = try common.writableStore(in: shell, storeOptions)
      store = opened
      return opened
    }
  }

  private func options(in shell: Shell) throws -> ImportOptions {
    var options = ImportOptions(
      format: format, conversation: into, timeZone: try common.zone(in: shell), me: me,
      keepsOriginal: keepOriginal, latest: ImportCommand.latest(now: shell.now()))
    options.standardInput = shell.standardInput
    if allowFuture { options.latest = nil }
    options.day = try date.map(Self.day)
    options.columns = try Self.columns(map)
    if let dateOrder {
      guard let known = ImportOptions.DateOrder(rawValue: dateOrder) else {
        throw UsageError(
          "no order of dates is called '\(dateOrder)'",
          remedy: "one of: " + ImportOptions.DateOrder.allCases.map(\.rawValue).joined(separator: ", "))
      }
      options.dateOrder = known
    }
    if let encoding {
      guard let known = FallbackEncoding(name: encoding) else {
        throw UsageError(
          "no encoding is called '\(encoding)'",
          remedy: "one of one byte a character: " + FallbackEncoding.commonNames.joined(separator: ", "))
      }
      options.fallbackEncoding = known
    }
    return options
  }

  /// Reads `time=ts,sender=user`.
  private static func columns(_ map: [String]) throws -> [String: String] {
    var columns: [String: String] = [:]
    for pair in map.flatMap({ $0.split(separator: ",") }) {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("'\(pair)' maps nothing", remedy: "--map time=ts,sender=user,text=body")
      }
      columns[parts[0]] = parts[1]
    }
    return columns
  }

  private static func day(_ text: String) throws -> CivilTime {
    let fields = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if fields.count == 3, let year = fields[0], let month = fields[1], let day = fields[2] {
      let civil = CivilTime(year: year, month: month, day: day)
      if civil.isValid { return civil }
    }
    throw UsageError("'\(text)' is no day", remedy: "--date 2024-05-01")
  }
}

extension ImportCommand {
  /// Reads everything and says at the end what became of it; the first Ctrl-C stops it at a whole record.
  ///
  /// - Parameter open: Opens the store. It is asked when the first messages come: input of which nothing can be read
  ///   makes no store.
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
