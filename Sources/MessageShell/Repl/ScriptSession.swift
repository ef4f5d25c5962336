internal import MessageInterchange
internal import MessageModel

/// The REPL without a terminal: commands line by line, plain output, the first failure ends it.
///
/// Its place is the run of messages printed last; `/older` goes on before it and `/newer` behind it.
public struct ScriptSession {
  var context: ReplContext
  /// What is searched for.
  var search: HitSearch?
  var printed: (first: Message.ID, last: Message.ID)?
  private let write: (String) -> Void
  let complain: (String) -> Void
  let remember: ([String: String]) -> Void
  private let appendsText: Bool
  var isDone = false
  /// The status of a script in which nothing has failed.
  var mildStatus = ExitStatus.done

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - appendsText: Whether lines without a slash are messages to append: only where somebody types them.
  ///   - write: Takes data, in whole lines.
  ///   - complain: Takes a sentence about what went wrong.
  ///   - remember: Takes what was set, for the next run.
  public init(
    _ context: ReplContext, appendsText: Bool = false, write: @escaping (String) -> Void,
    complain: @escaping (String) -> Void, remember: @escaping ([String: String]) -> Void = { _ in }
  ) {
    self.remember = remember
    self.context = context
    self.appendsText = appendsText
    self.write = write
    self.complain = complain
  }

  /// Runs commands until `/quit`, the end or, unless `keepsGoing`, the first that fails.
  ///
  /// - Returns: The status of the last command that failed.
  public mutating func run(lines: () -> String?, keepsGoing: Bool = false) -> ExitStatus {
    var status: ExitStatus?
    var number = 0
    while !isDone, let line = lines() {
      number += 1
      do {
        try run(line)
      } catch {
        status = ExitStatus(error)
        complain("line \(number): \(Self.sentence(error))")
        if !keepsGoing { break }
      }
    }
    return status ?? mildStatus
  }

  private static func sentence(_ error: any Error) -> String {
    let text = (error as? any ExplainedError)?.description ?? "\(error)"
    return SafeText.lines(of: text).joined(separator: "\n")
  }

  private mutating func run(_ line: String) throws {
    guard let command = try CommandParser.command(in: line) else { return }
    guard line.hasPrefix("/") || appendsText else {
      throw UsageError(
        "a command begins with a slash", cause: "nothing is appended from a pipe by mistake",
        remedy: "scrollback append, for lines that are messages")
    }
    try perform(command)
  }

  mutating func go(to destination: ReplCommand.Destination) throws {
    let anchor = try context.anchor(for: destination, from: printed?.first.time)
    let resolution = try read(anchor, 1)
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
    var format = TextExport(timeZone: context.zone)
    var bytes: [UInt8] = []
    for var message in messages {
      if message.isTextCut { message.text = try context.store.text(of: message.id) ?? message.text }
      let record = MessageRecord(message: message)
      format.write(ExportRecord(record, conversation: context.conversation.name), to: &bytes)
    }
    write(String(decoding: bytes, as: UTF8.self))
  }

  func show(_ lines: [String]) {
    write(lines.map { $0 + "\n" }.joined())
  }
}
