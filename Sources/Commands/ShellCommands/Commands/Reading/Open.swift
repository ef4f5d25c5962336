internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Open: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "open",
    abstract: "Read and write in a full-screen window.",
    discussion: """
      Without a terminal on standard input the same commands are read from there, a line each.

      Examples:
        scrollback open general
        scrollback open general --goto 2024-05-01
        scrollback open --all
        scrollback open @ann
        scrollback open --goto '#7022857543691537'
        printf '/goto 50%%\\n/older 10\\n' | scrollback -c general
      """)

  @Argument(
    help: ArgumentHelp(
      "Which conversation (default: the last one); * is all of them, @ann a person.",
      valueName: "conversation"),
    completion: ValueCompletions.timelines)
  var name: String?

  @Flag(help: "All messages in the order of time.")
  var all = false

  @Option(
    help: ArgumentHelp("The messages between you and this person; see `people`.", valueName: "name"),
    completion: ValueCompletions.people)
  var person: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin at a message (#ID), a date, a number or 50%, as /goto takes it.", valueName: "place"))
  var goto: String?

  @Flag(help: "In a script: continue after a failed command.")
  var keepGoing = false

  @Flag(help: "Only read, with the keys of less.")
  var view = false

  @Flag(help: "Begin at the newest message, not where you were.")
  var bottom = false

  @Flag(help: "No window: messages go to the terminal's scrollback.")
  var inline = false

  @Flag(help: "Print plain lines instead of a window, for screen readers.")
  var plain = false

  @Flag(help: "Do not save typed lines.")
  var noHistory = false

  @Flag(help: "Leave the mouse wheel to the terminal.")
  var noMouse = false

  /// The file for the times that each key took, in microseconds: for benchmarks.
  @Option(help: .hidden, completion: .file())
  var traceLatency: String?

  @OptionGroup var named: OneConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let count = [name, named.conversation, person, all ? "" : nil].count { $0 != nil }
    if count > 1 {
      throw ValidationError(
        all || person != nil
          ? "a window shows one of these: a conversation, --all, --person"
          : "a window shows one conversation, and two are named")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let isTyped = shell.isInteractive
    let zone = try common.zone(in: shell)
    if isTyped, try isFirstRun(in: shell) {
      switch FirstRun(console: common.console(in: shell), shell: shell).offer() {
      case .openWindow: break
      case .leave: return .done
      }
    }
    let store = try opened(in: shell, isTyped: isTyped)
    defer { store.close() }
    let state = StateFolder(environment: shell.environment)
    let opened = try chosen(state, in: store)
    var context = ReplContext(
      store: store, timeline: opened, me: shell.userName ?? "me", zone: zone, now: shell.now)
    if let goto {
      try context.begin(
        at: goto, isFree: name == nil && named.conversation == nil && person == nil && !all)
    }
    guard isTyped else { return try runScript(context, in: shell) }
    context.ownPalette = Theme.auto.palette(in: shell.environment)
    let config = ConfigFile(environment: shell.environment)
    config.takeOver(from: state)
    context.clipboard = Clipboard(environment: shell.environment)
    restore(config, in: &context)
    if noHistory { context.keepsHistory = false }
    if view { context.displayMode = .window }
    if inline { context.displayMode = .inline }
    if plain { context.displayMode = .plain }
    context.places = state.places(in: store.path)
    if bottom { context.places.forget(context.timeline.keptName) }
    state.rememberOpen(context.timeline.keptName, in: store.path)
    // The window reopens as long as the user leaves it to change its looks.
    var shown: ReplContext.Looks?
    while shown != context.looks {
      shown = context.looks
      let appearance = context.appearance
      let traits = TerminalTraits(environment: shell.environment, color: appearance.color)
      let end = try shell.openWindow(
        WindowRequest(
          context: context, store: store, state: state, config: config, traits: traits, isView: view,
          usesWheel: appearance.usesMouse && !noMouse && !traits.isScreen,
          trace: traceLatency))
      context = end.context
      state.rememberOpen(context.timeline.keptName, in: store.path)
      state.remember(context.places, in: store.path)
      if let signal = end.signal { return .ended(by: signal) }
    }
    return .done
  }

  /// Whether neither a history nor a place for one is named, and the usual store does not exist.
  private func isFirstRun(in shell: Shell) throws -> Bool {
    guard name == nil, named.conversation == nil, person == nil, !view, common.store == nil,
      common.address(in: shell) == nil
    else { return false }
    return try !FileManager.default.fileExists(atPath: common.path(in: shell))
  }

  private func opened(in shell: Shell, isTyped: Bool) throws -> SynchronousMessageStore {
    let readerCount = isTyped ? 6 : 2
    if common.address(in: shell) != nil {
      if !view { try common.refuseArchive(in: shell, toWrite: true, otherwise: "open --view, to read; ") }
      return try common.opened(in: shell, readerCount: readerCount)
    }
    // A store without write permission is opened read-only.
    // No store is made for the name of a conversation, which may be a mistyped command.
    let mayMake = isTyped && name == nil && named.conversation == nil
    let access: StoreOptions.Access =
      try SynchronousMessageStore.isWritable(at: common.path(in: shell))
      ? (mayMake ? .create : .readWrite) : .readOnly
    return try common.writableStore(in: shell, StoreOptions(access: access, readerCount: readerCount))
  }

  private func chosen(_ state: StateFolder, in store: SynchronousMessageStore) throws -> Timeline {
    if all { return .everything }
    if let person { return try store.timeline(.person(person)) }
    return try OpenChoice.timeline(
      named: name ?? named.conversation, lastOpen: state.lastOpen(in: store.path), in: store)
  }

  /// Restores the settings of earlier runs, except those that options override; the greeting names the
  /// settings that it does not know.
  private func restore(_ config: ConfigFile, in context: inout ReplContext) {
    var settings = config.settings.filter { $0.key != "time-zone" || common.timeZone == nil }
    if let color = common.color { settings["color"] = color.rawValue }
    settings["events"] = settings["events"] ?? "smart"
    let unclear =
      config.unclear(knowing: ReplSetting.names).map { "there is no setting \($0)" }
      + context.restore(settings)
    if !unclear.isEmpty { context.greeting = unclear.joined(separator: " · ") + " — in \(config.path)" }
  }

  private func runScript(_ context: ReplContext, in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    var session = try Session(
      context, isReadOnly: view,
      write: { text in
        console.write(text)
        console.flush()  // Whoever drives us through a pipe waits for the answer.
      },
      complain: { console.complain("scrollback: \($0)") })
    var lines = ArrivingLines(descriptor: shell.standardInput)
    let status = session.run(lines: { try lines.next()?.first }, keepsGoing: keepGoing)
    console.flush()
    return status
  }
}

enum OpenChoice {
  /// Finds a timeline as `/open` does; without a name returns the last open one.
  static func timeline(
    named name: String?, lastOpen: String?, in store: SynchronousMessageStore
  ) throws -> Timeline {
    if let name {
      if name == "*" || name.hasPrefix("@") { return try store.timeline(.typed(name)) }
      return .conversation(try ConversationChoice.named(name, in: store))
    }
    switch lastOpen.map(Timeline.opening(keptAs:)) {
    case .everything: return .everything
    case .person(let name):
      // The last open person may no longer exist.
      if let found = try? store.timeline(.person(name)) { return found }
      return .conversation(try conversation(lastOpen: nil, in: store))
    case .conversation, .typed, .message, nil:
      return .conversation(try conversation(lastOpen: lastOpen, in: store))
    }
  }

  /// Returns the last open conversation if it has messages, else the one with the newest message. An empty
  /// store gets one named `notes`.
  private static func conversation(
    lastOpen: String?, in store: SynchronousMessageStore
  ) throws -> Conversation {
    let last = try lastOpen.flatMap { name throws(StoreError) in try store.conversation(named: name) }
    // An empty one was created for lack of any other.
    if let last, last.messageCount > 0 { return last }
    if let newest = try store.newestConversation() { return newest }
    if let last { return last }
    if let first = try store.conversationNames(limit: 1).first,
      let empty = try store.conversation(named: first)
    {
      return empty
    }
    return try store.makeConversation(named: "notes")
  }
}
