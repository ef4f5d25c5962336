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

  /// Prints a list as JSON or as a table.
  ///
  /// - Parameters:
  ///   - note: The message on a terminal if the list is empty.
  ///   - table: Lays out the list, with outside text made visible.
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
