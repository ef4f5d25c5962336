import ChatSession
import Foundation
import MessageModel
import MessageStorage
import Synchronization
import TerminalText
import TestSupport

/// A store in a file, and both kinds of sessions over it.
///
/// Its `general` holds messages of alice and bob, an hour apart from 2024-05-01 12:00 UTC: `message 1 of apples`,
/// `message 2 of pears`, and so on. It is 2024-05-15 12:00, and we are carol.
final class StoreFixture {
  let store: SynchronousMessageStore
  let folder: URL

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - sender: Returns who wrote a message by its number, from 1.
  ///   - text: Returns its text.
  ///   - trace: Told of each statement.
  convenience init(
    count: Int = 100, minutesApart: Int = 60, sender: ((Int) -> String)? = nil,
    text: ((Int) -> String)? = nil, trace: StatementTrace? = nil
  ) throws {
    let isUsual = sender == nil && text == nil
    try self.init(
      template: isUsual ? "\(count) messages, \(minutesApart) minutes apart" : nil, trace,
      holding: Self.messages(
        count, minutesApart: minutesApart, sender: sender ?? Self.usualSender,
        text: text ?? { "message \($0) of \($0.isMultiple(of: 2) ? "pears" : "apples")" }))
  }

  /// Creates a store whose `general` holds messages a minute apart: `message 1`, `message 2`, and so on.
  convenience init(minutely count: Int, trace: StatementTrace? = nil) throws {
    try self.init(
      template: "\(count) numbers", trace,
      holding: Self.messages(count, minutesApart: 1, sender: Self.usualSender, text: { "message \($0)" }))
  }

  /// - Parameter template: The name of these messages, by which a store that holds them is made only once.
  private init(template: String?, _ trace: StatementTrace?, holding messages: [NewMessage]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID().uuidString)")
    let path = folder.appendingPathComponent("store.db").path
    func fill(_ path: String) throws {
      let store = try Self.open(path)
      defer { store.close() }
      let general = try store.makeConversation(named: "general").id
      _ = try store.makeConversation(named: "random")
      _ = try store.append(messages, to: general)
    }
    if let template {
      try StoreTemplate.copy(template, to: path, making: fill)
    } else {
      try StoreTemplate.copyEmpty(to: path)
      try fill(path)
    }
    store = try Self.open(path, trace)
  }

  private static func open(_ path: String, _ trace: StatementTrace? = nil) throws -> SynchronousMessageStore {
    var options = StoreOptions()
    options.trace = trace
    return try SynchronousMessageStore(path: path, options: options, clock: { now })
  }

  private static func messages(
    _ count: Int, minutesApart: Int, sender: (Int) -> String, text: (Int) -> String
  ) -> [NewMessage] {
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12))
    return (0..<count).map { index in
      NewMessage(
        text(index + 1), from: sender(index + 1),
        at: start.advanced(byMilliseconds: Int64(index * minutesApart) * 60_000))
    }
  }

  private static func usualSender(_ number: Int) -> String { number.isMultiple(of: 2) ? "bob" : "alice" }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private static let now = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 15, hour: 12))

  func context() throws -> ReplContext {
    guard let general = try store.conversation(named: "general") else {
      throw StoreError(.notFound, "no general")
    }
    return ReplContext(store: store, conversation: general, me: "carol", zone: .gmt, now: { Self.now })
  }

  /// Has somebody else write a message.
  func receive(_ text: String) throws {
    _ = try store.append(text, from: "dave", replyTo: nil, to: try context().conversation.id)
  }

  /// What a script prints, complaints after `!`.
  func transcript(_ script: String) throws -> String {
    var lines = script.split(separator: "\n").map(String.init)[...]
    let paper = Printer.Paper()
    var session = try Session(
      try context(), write: { paper.add($0) }, complain: { paper.add("! \($0)\n") })
    _ = session.run(lines: { lines.popFirst() })
    return paper.take()
  }

  /// A session on a screen.
  func screen(rows: Int = 8, columns: Int = 60) throws -> Screen {
    Screen(
      fixture: self, session: try Session(try context(), rows: rows, columns: columns),
      terminal: TerminalModel(rows: rows, columns: columns))
  }

  /// A session in which nothing is written, on a screen.
  func view(rows: Int, columns: Int) throws -> Screen {
    Screen(
      fixture: self, session: try Session(try context(), rows: rows, columns: columns, isReadOnly: true),
      terminal: TerminalModel(rows: rows, columns: columns))
  }

  /// A session of somebody who types at a terminal without a window.
  func printer(rows: Int = 8, columns: Int = 60, isPlain: Bool = false, isReadOnly: Bool = false) throws
    -> Printer
  {
    let paper = Printer.Paper()
    let session = try Session(
      try context(), isReadOnly: isReadOnly,
      at: PrintingReader.Terminal(StyleEncoder(.none), rows: rows, columns: columns, isPlain: isPlain),
      write: { paper.add($0) }, complain: { paper.add("! \($0)\n") })
    return Printer(fixture: self, session: session, paper: paper)
  }

  /// A session that prints, and what it has printed.
  struct Printer {
    final class Paper: Sendable {
      private let text = Mutex("")

      func add(_ more: String) { text.withLock { $0 += more } }

      func take() -> String {
        text.withLock { text in
          defer { text = "" }
          return text
        }
      }
    }

    let fixture: StoreFixture
    var session: Session<PrintingReader>
    let paper: Paper

    /// Returns what was printed since this was asked last, complaints after `!`.
    func printed() -> String { paper.take() }

    @discardableResult
    mutating func type(_ line: String) -> Effects { handle(.line(line)) }

    @discardableResult
    mutating func handle(_ event: ReplEvent) -> Effects { session.handle(event) }

    /// Does the jobs of an event on this thread, and those of their reports.
    mutating func finish(_ effects: Effects, isCancelled: Bool = false) {
      for report in effects.jobs.flatMap({ $0.reports(isCancelled: isCancelled) }) {
        finish(handle(.reported(report)), isCancelled: isCancelled)
      }
    }
  }

  /// A session and the terminal it is painted on.
  struct Screen {
    let fixture: StoreFixture
    var session: Session<ScreenReader>
    var terminal: TerminalModel
    var painter = ScreenPainter(StyleEncoder(.basic))

    init(fixture: StoreFixture, session: Session<ScreenReader>, terminal: TerminalModel) {
      self.fixture = fixture
      self.session = session
      self.terminal = terminal
      paint()
    }

    @discardableResult
    mutating func type(_ line: String) -> Effects { handle(.line(line)) }

    @discardableResult
    mutating func handle(_ event: ReplEvent) -> Effects {
      let outcome = session.handle(event)
      paint()
      return outcome
    }

    private mutating func paint() { terminal.feed(painter.paint(session.screen()).utf8) }

    /// Does the work of an outcome on this thread, the session taking each report at once, and the work of those.
    mutating func finish(_ outcome: Effects, isCancelled: Bool = false) {
      for work in outcome.jobs {
        for report in work.reports(isCancelled: isCancelled) {
          finish(handle(.reported(report)), isCancelled: isCancelled)
        }
      }
    }

    /// The rows of the messages.
    var lines: [String] { terminal.messageLines }
    var status: String { terminal.lines[terminal.rows - 2] }
  }
}

extension Session<ScreenReader> {
  /// The screen as it is now.
  mutating func screen() -> Screen { ScreenReader.show(&self).shown }
}

extension ReplContext {
  /// The conversation that is open, where one is.
  var conversation: Conversation {
    guard let openConversation else { preconditionFailure("Messages of several conversations are shown.") }
    return openConversation
  }
}

extension SynchronousMessageStore {
  /// Appends a message that somebody writes now, which marks nothing as read, and returns its id.
  @discardableResult
  func append(
    _ text: String, from sender: String, replyTo: Message.ID?, to conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try append([NewMessage(text, from: sender, replyTo: replyTo.map { .message($0) })], to: conversation)[0]
  }
}
