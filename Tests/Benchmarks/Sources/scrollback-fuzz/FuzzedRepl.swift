internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import Synchronization
internal import TerminalText
internal import TestSupport

/// Lines and keys of a REPL over a small store, in a script, at a terminal and on a screen: nothing is written that
/// nobody asked for, and what is shown controls no terminal.
enum FuzzedRepl {
  /// The most lines of an input.
  private static let lineLimit = 24

  static func type(_ input: FuzzInput) {
    var input = input
    let choice = input.byte()
    let events = input.rest.split(separator: "\n", omittingEmptySubsequences: false).prefix(lineLimit)
      .map(Event.init).filter(\.isHarmless)
    guard let store = attempt({ try SampleStore.opened(SampleStore.place(), .readWrite) }) else {
      mistake("The sample cannot be opened.")
    }
    defer { store.close() }
    let before = attempt { try store.version(of: .everything) }
    let isReadOnly = choice & 0x80 != 0
    let (rows, columns) = (choice % 5 * 7 + 2, choice % 7 * 20 + 12)
    switch choice / 7 % 3 {
    case 0: ReplRun.script(events, store, isReadOnly: isReadOnly)
    case 1: ReplRun.printed(events, store, rows: rows, columns: columns, isReadOnly: isReadOnly)
    default: ReplRun.painted(events, store, rows: rows, columns: columns, isReadOnly: isReadOnly)
    }
    let isWriting = !isReadOnly && events.contains(where: \.isWriting)
    let after = attempt { try store.version(of: .everything) }
    expect(isWriting || before == after, "Something was written that nobody asked for.")
  }

  /// A line, or a key.
  enum Event {
    case line(String)
    case key(ReplKey, Int)
    case typed(String)
    case search(String)
    case interrupted, changed

    /// Lines that begin with a control character stand for other things than lines.
    init(_ text: some StringProtocol) {
      let rest = String(text.dropFirst())
      switch text.unicodeScalars.first {
      case "\u{1}":
        let number = Int(text.utf8.dropFirst().first ?? 0)
        self = .key(ReplKey.allCases[number % ReplKey.allCases.count], Int(text.utf8.dropFirst(2).first ?? 1))
      case "\u{2}": self = .typed(rest)
      case "\u{3}": self = .interrupted
      case "\u{4}": self = .changed
      case "\u{5}": self = .search(rest)
      default: self = .line(String(text))
      }
    }

    private var command: TypedCommand? {
      guard case .line(let line) = self else { return nil }
      return (attempt { try CommandParser.command(in: line) }) ?? nil
    }

    /// Whether it stays within the store: made-up bytes are to name no file and no program.
    var isHarmless: Bool {
      if case .url(_, _, .open) = command?.meaning { return false }
      return command?.namesFiles != true
    }

    var isWriting: Bool { command.map { $0.effect != .reads } ?? false }

    var event: ReplEvent {
      switch self {
      case .line(let line): .line(line)
      case .key(let key, let count): .key(key, count: count)
      case .typed(let line): .typed(line)
      case .search(let query): .search(query, .older)
      case .interrupted: .interrupted
      case .changed: .storeChanged
      }
    }
  }
}

/// A session that made-up events are told.
enum ReplRun {
  static func context(_ store: SynchronousMessageStore) -> ReplContext {
    guard let first = attempt({ try store.conversations().first }) ?? nil else {
      mistake("There is no conversation.")
    }
    var context = ReplContext(
      store: store, conversation: first, me: "carol", zone: .gmt, now: { SampleStore.now })
    context.openLink = { _, _ in }
    return context
  }

  /// What was written, as it would go to a terminal.
  final class Paper: Sendable {
    private let text = Mutex("")

    func add(_ more: String) { text.withLock { $0 += more } }

    /// Stops at what is none of ours.
    func check(_ allowed: OwnSequences) { ReplRun.check(text.withLock { $0 }, allowed) }
  }

  static func check(_ text: String, _ allowed: OwnSequences) {
    if let stray = allowed.firstStray(in: text.utf8) { mistake("This reaches the terminal: \(stray)") }
  }

  static func script(_ events: [FuzzedRepl.Event], _ store: SynchronousMessageStore, isReadOnly: Bool) {
    let paper = Paper()
    var lines = events.compactMap { event in
      if case .line(let line) = event { line } else { nil }
    }[...]
    guard
      var session = attempt({
        try Session(
          context(store), isReadOnly: isReadOnly, write: { paper.add($0) },
          complain: { paper.add(SafeText.lines(of: $0).joined(separator: "\n") + "\n") })
      })
    else { return }
    _ = session.run(lines: { lines.popFirst() }, keepsGoing: true)
    paper.check(.none)
  }

  static func printed(
    _ events: [FuzzedRepl.Event], _ store: SynchronousMessageStore, rows: Int, columns: Int, isReadOnly: Bool
  ) {
    let paper = Paper()
    let isPlain = rows % 2 == 0
    let encoder = isPlain ? StyleEncoder(.none) : StyleEncoder(.indexed, writesLinks: true)
    guard
      var session = attempt({
        try Session(
          context(store), isReadOnly: isReadOnly,
          at: PrintingReader.Terminal(encoder, rows: rows, columns: columns, isPlain: isPlain),
          write: { paper.add($0) },
          complain: { paper.add(SafeText.lines(of: $0).joined(separator: "\n") + "\n") })
      })
    else { return }
    for event in events {
      tell(&session, event.event) { check($0.prompt, .none) }
    }
    paper.check(isPlain ? .none : .styles)
  }

  static func painted(
    _ events: [FuzzedRepl.Event], _ store: SynchronousMessageStore, rows: Int, columns: Int, isReadOnly: Bool
  ) {
    guard
      var session = attempt({
        try Session(context(store), rows: rows, columns: columns, isReadOnly: isReadOnly)
      })
    else { return }
    var painter = ScreenPainter(StyleEncoder(.indexed, writesLinks: true))
    check(painter.paint(ScreenReader.show(&session).shown), .screen)
    for event in events {
      tell(&session, event.event) { check(painter.paint(ScreenReader.show(&$0).shown), .screen) }
    }
  }

  /// Tells an event, and what its jobs report; `look` sees the session after each.
  private static func tell<R>(
    _ session: inout Session<R>, _ event: ReplEvent, _ look: (inout Session<R>) -> Void
  ) {
    var events = [event][...]
    // A report may begin other jobs, but not for ever.
    for _ in 0..<1_000 {
      guard let next = events.popFirst() else { return }
      let effects = session.handle(next)
      look(&session)
      for job in effects.jobs where job.lane != .transfer && job.lane != .opening {
        let reports = Mutex<[Job.Report]>([])
        job.run(report: { report in reports.withLock { $0.append(report) } }, isCancelled: { false })
        events += reports.withLock { $0 }.map { .reported($0) }
      }
      if effects.leaves { return }
    }
    mistake("Jobs begin jobs without an end.")
  }
}
