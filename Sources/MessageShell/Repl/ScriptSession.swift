internal import MessageInterchange
internal import MessageModel
internal import TerminalText

/// The REPL without a terminal: commands line by line, plain output, the first failure ends it.
///
/// Its place is the run of messages printed last; `/older` goes on before it and `/newer` behind it.
public struct ScriptSession {
  var context: ReplContext
  /// What is searched for.
  var search: HitSearch?
  var printed: (first: Message.ID, last: Message.ID)?
  /// Where jumps began.
  var trail = Trail()
  let write: (String) -> Void
  let complain: (String) -> Void
  let remember: ([String: String]) -> Void
  /// Whether nothing is written.
  let isReadOnly: Bool
  /// What is kept for somebody who types; `nil` for a script.
  public var live: Live?
  var isDone = false
  /// The status of a script in which nothing has failed.
  var mildStatus = ExitStatus.done

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether nothing is written.
  ///   - live: The terminal at which somebody types; `nil` for a script. Only there lines without a slash are messages
  ///     to append.
  ///   - write: Takes data, in whole lines.
  ///   - complain: Takes a sentence about what went wrong.
  ///   - remember: Takes what was set, for the next run.
  public init(
    _ context: ReplContext, isReadOnly: Bool = false, live: Live? = nil, write: @escaping (String) -> Void,
    complain: @escaping (String) -> Void, remember: @escaping ([String: String]) -> Void = { _ in }
  ) {
    self.isReadOnly = isReadOnly
    self.live = live
    self.remember = remember
    self.context = context
    self.write = write
    self.complain = complain
  }

  /// Runs commands until `/quit`, the end or, unless `keepsGoing`, the first that fails.
  ///
  /// - Parameter lines: Returns the next line, `nil` at the end. What it throws ends the script, too.
  /// - Returns: The status of the last command that failed.
  public mutating func run(lines: () throws -> String?, keepsGoing: Bool = false) -> ExitStatus {
    var status: ExitStatus?
    var number = 0
    do {
      while !isDone, let line = try lines() {
        number += 1
        do {
          try run(line)
        } catch {
          status = ExitStatus(error)
          complain("line \(number): \(Self.sentence(error))")
          if !keepsGoing { break }
        }
      }
    } catch {
      status = ExitStatus(error)
      complain(Self.sentence(error))
    }
    return status ?? mildStatus
  }

  /// What went wrong, in lines that cannot control a terminal.
  public static func sentence(_ error: any Error) -> String {
    let text = (error as? any ExplainedError)?.description ?? "\(error)"
    return SafeText.lines(of: text).joined(separator: "\n")
  }

  mutating func run(_ line: String) throws {
    guard let command = try CommandParser.command(in: line) else { return }
    guard line.hasPrefix("/") || live != nil else {
      throw UsageError(
        "a command begins with a slash", cause: "nothing is appended from a pipe by mistake",
        remedy: "scrollback append, for lines that are messages")
    }
    if isReadOnly, command.isWriting || command.isMark {
      throw UsageError("nothing is written in a view", remedy: "scrollback without --view")
    }
    defer { tellOfCostlyMessages() }
    try perform(command)
  }

  /// Names the messages that were passed over. That ends no script, but it keeps the code.
  private mutating func tellOfCostlyMessages() {
    guard let error = CostlyMessages.error(context.store.takeCostlyMessages()) else { return }
    complain(Self.sentence(error))
    mildStatus = error.status
  }

  mutating func go(to destination: ReplCommand.Destination) throws {
    let before = context.conversation.id
    let inView = printed.map { ReplContext.InView(time: $0.first.time, first: $0.first, last: $0.first) }
    guard let anchor = try context.anchor(for: destination, from: inView) else {
      throw UsageError(ReplContext.nothing(beyond: destination), status: .nothingFound)
    }
    if context.conversation.id != before { (printed, trail) = (nil, Trail()) }
    let resolution = try jump(to: anchor, 1)
    if let remark = context.remark(on: destination, resolution) {
      throw UsageError(remark, status: .nothingFound)
    }
  }

  /// Prints messages, oldest first, and makes them the place.
  @discardableResult
  mutating func read(_ anchor: Anchor, _ count: Int) throws(StoreError) -> Page.Resolution {
    var left = count
    var next = anchor
    var page = try context.store.page(request(next, left))
    let resolution = page.resolution
    var messages: [Message] = []
    while !page.messages.isEmpty {
      left -= page.messages.count
      messages = isBackward(anchor) ? page.messages + messages : messages + page.messages
      guard left > 0, let first = page.messages.first, let last = page.messages.last else { break }
      next = isBackward(anchor) ? .before(first.id) : .after(last.id)
      page = try context.store.page(request(next, left))
    }
    try print(messages)
    return resolution
  }

  private func isBackward(_ anchor: Anchor) -> Bool {
    switch anchor {
    case .newest, .before: true
    default: false
    }
  }

  private func request(_ anchor: Anchor, _ count: Int) -> FetchRequest {
    FetchRequest(context.selection, anchor: anchor, fetchLimit: min(count, 1_000), wantsCounts: false)
  }

  private mutating func print(_ messages: [Message]) throws(StoreError) {
    guard let first = messages.first, let last = messages.last else { return }
    printed = (first.id, last.id)
    if live != nil { return try printLive(messages) }
    var format = TextExport(timeZone: context.zone)
    for message in messages { write(try line(of: message, &format)) }
  }

  /// The line of a message as an export of text has it, all of its text.
  func line(of message: Message, _ format: inout TextExport) throws(StoreError) -> String {
    var message = message
    if message.isTextCut { message.text = try context.store.text(of: message.id) ?? message.text }
    var bytes: [UInt8] = []
    let record = MessageRecord(message: message)
    format.write(ExportRecord(record, conversation: context.conversation.name), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Tells somebody who types what was done; a script is silent where nothing failed.
  func say(_ text: String) {
    if live != nil { show([text]) }
  }

  func show(_ lines: [String]) {
    write(lines.flatMap { SafeText.lines(of: $0) }.map { $0 + "\n" }.joined())
  }
}
