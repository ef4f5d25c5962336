internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct CommonOptions: ParsableArguments {
  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The store file (default: $SCROLLBACK_STORE, else \(StoreLocation.shownDefault)).",
      valueName: "path"), completion: .file())
  var store: String?

  @Flag(name: [.short, .long], help: "Print no progress and no summary.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "The time zone of the times shown, and of imported times that name none.", valueName: "zone"),
    completion: ValueCompletions.zones)
  var timeZone: String?

  @Option(
    help: ArgumentHelp("When to use colours: auto, always or never (as set, else auto).", valueName: "when"))
  var color: ColorOption?

  func console(in shell: Shell, to output: (any ByteSink)? = nil) -> Console {
    var shell = shell
    if let output { shell.output = output }
    let set = shell.settings["color"].flatMap { TerminalTraits.ColorChoice(rawValue: $0) } ?? .auto
    return Console(in: shell, isQuiet: quiet, color: color?.choice ?? set)
  }

  /// Throws ``UsageError`` if an archive on a server is named.
  func path(in shell: Shell, toWrite: Bool = false) throws -> String {
    try refuseArchive(in: shell, toWrite: toWrite)
    return StoreLocation.path(option: store, environment: shell.environment)
  }

  /// Opens the store for writing, and warns if other users can read it.
  func writableStore(
    in shell: Shell, _ options: StoreOptions = StoreOptions(access: .readWrite)
  ) throws -> SynchronousMessageStore {
    let path = try path(in: shell, toWrite: options.access != .readOnly)
    var options = options
    options.busyTimeout = StoreOptions.commandBusyTimeout
    let store = try SynchronousMessageStore(path: path, options: options)
    for note in [store.exposure, store.logDamage].compactMap(\.self) { console(in: shell).note(note) }
    return store
  }

  func change(
    in shell: Shell, _ change: (SynchronousMessageStore, Console) throws -> Void
  ) throws -> ExitStatus {
    let store = try writableStore(in: shell)
    defer { store.close() }
    try change(store, console(in: shell))
    return .done
  }

  /// Prints a list as JSON or as a table, which must be safe for a terminal; `note` on a terminal if it is
  /// empty.
  func list<Item: Encodable>(
    in shell: Shell, as json: JSONOption, by pager: PagerOption, otherwise note: String? = nil,
    _ items: (SynchronousMessageStore) throws -> [Item],
    table: ([Item], TableLayout) throws -> String
  ) throws -> ExitStatus {
    let store = try readableStore(in: shell, readerCount: 1)
    defer { store.close() }
    let (console, items) = (pager.console(self, in: shell), try items(store))
    try console.write(answers: items, asJSON: json.json) { try table(items, $0) }
    console.flush()
    if let note, items.isEmpty, console.errorsAreTerminal { console.note(note) }
    return .done
  }

  func readableStore(in shell: Shell, readerCount: Int = 2) throws -> SynchronousMessageStore {
    var options = StoreOptions.readOnly
    options.readerCount = readerCount
    let store = try SynchronousMessageStore(path: path(in: shell), options: options)
    if let note = store.logDamage { console(in: shell).note(note) }
    return store
  }

  func zone(in shell: Shell) throws -> TimeZone {
    guard let timeZone else { return shell.localZone() }
    if let zone = TimeZone(named: timeZone) { return zone }
    throw UsageError(
      "unknown time zone '\(VisibleText.of(timeZone))'",
      remedy: "a name like Europe/Berlin, UTC or +05:30")
  }
}

enum ColorOption: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  var choice: TerminalTraits.ColorChoice {
    switch self {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }
}

struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON, an object a line.")
  var json = false
}

struct PagerOption: ParsableArguments {
  @Flag(help: "Write directly to the terminal, without $PAGER (less -RFX).")
  var noPager = false

  func console(_ common: CommonOptions, in shell: Shell) -> Console {
    common.console(in: shell, to: noPager ? nil : shell.pager)
  }
}

/// The option of destructive commands, which ask for confirmation on a terminal.
struct ConfirmationOption: ParsableArguments {
  @Flag(help: "Do not ask for confirmation (scripts are never asked).")
  var yes = false

  /// Asks for confirmation on a terminal; scripts continue unasked. `plan` says what will be done, in
  /// numbers, and what cannot be undone, a line each.
  func ask(_ plan: @autoclosure () throws -> [String], in shell: Shell, _ console: Console) throws {
    guard !yes, shell.canAsk else { return }
    console.ask(try plan().joined(separator: "\n  ") + "\nContinue? [y/N] ")
    var lines = ArrivingLines(descriptor: shell.standardInput)
    let answer = try lines.next()?.first
    guard let answer else {
      console.complain("")
      throw Self.refusal
    }
    let word = answer.trimming(while: \.isWhitespace).lowercased()
    if word != "y", word != "yes" { throw Self.refusal }
  }

  private static let refusal = UsageError("nothing was changed", status: .interrupted)
}

enum StoreLocation {
  /// The option, else `$SCROLLBACK_STORE`, else a file in the user's data folder.
  static func path(
    option: String?, environment: [String: String]
  ) -> String {
    if let option { return option }
    if let path = environment["SCROLLBACK_STORE"], !path.isEmpty { return path }
    return defaultPath(environment)
  }

  /// The path of the store where neither an option nor the environment names one, with `~` for the home folder.
  static let shownDefault: String = {
    let names = ["HOME", "XDG_DATA_HOME"]
    let environment = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
    let path = defaultPath(environment)
    guard let home = environment["HOME"], path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }()

  private static func defaultPath(_ environment: [String: String]) -> String {
    dataFolder(environment) + "/scrollback/scrollback.db"
  }

  private static func dataFolder(_ environment: [String: String]) -> String {
    let home = environment["HOME"] ?? NSHomeDirectory()
    #if os(macOS)
      return home + "/Library/Application Support"
    #else
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
      return home + "/.local/share"
    #endif
  }
}
