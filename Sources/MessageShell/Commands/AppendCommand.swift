internal import Foundation
public import MessageModel
public import MessageStorage

/// `append`: writes messages from the command line, or a message per line of standard input as lines arrive.
public struct AppendCommand: Sendable {
  public var sender: String?
  public var time: Timestamp?
  public var replyTo: Message.ID?
  /// The conversation; `nil` for the only one there is.
  public var conversation: String?
  /// Whether a conversation that is not there is made.
  public var creates: Bool

  /// Creates the command.
  public init(
    sender: String?, time: Timestamp? = nil, replyTo: Message.ID? = nil, conversation: String? = nil,
    creates: Bool = false
  ) {
    self.sender = sender
    self.time = time
    self.replyTo = replyTo
    self.conversation = conversation
    self.creates = creates
  }

  /// Appends one message.
  public func run(_ store: MessageStore, text: String) throws {
    try store.append([message(text)], to: try target(in: store))
  }

  /// Appends a message per line of a stream until it ends, and returns how many.
  ///
  /// What can be read at once is one commit, so a slow writer is followed line by line and a fast one by the
  /// thousand. A last line without a newline counts; the newline itself, with a carriage return before it, does not.
  public func run(_ store: MessageStore, linesFrom descriptor: Int32) throws -> Int {
    let target = try target(in: store)
    var lines = ArrivingLines(descriptor: descriptor)
    var count = 0
    while let batch = lines.next(atMost: 1_000) {
      try store.append(batch.map(message), to: target)
      count += batch.count
    }
    return count
  }

  private func message(_ text: String) -> NewMessage {
    NewMessage(text, from: sender, at: time, replyTo: replyTo)
  }

  private func target(in store: MessageStore) throws -> Conversation.ID {
    guard let conversation else { return try ConversationChoice.only(in: store).id }
    if let found = try store.conversation(named: conversation) { return found.id }
    if try creates || store.conversations().isEmpty {
      return try store.makeConversation(named: conversation).id
    }
    do {
      return try ConversationChoice.named(conversation, in: store).id
    } catch var error as UsageError {
      error.remedy = "--create, which makes it"
      throw error
    }
  }
}

/// Lines of a pipe or terminal, handed out as they arrive.
struct ArrivingLines {
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for a line, and returns it with those that are there already; `nil` at the end.
  mutating func next(atMost limit: Int) -> [String]? {
    while true {
      let lines = taken(limit)
      if !lines.isEmpty { return lines }
      if hasEnded { return nil }
      read()
    }
  }

  private mutating func read() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { chunk in
      let count = Foundation.read(descriptor, chunk.baseAddress, chunk.count)
      if count > 0 {
        buffer.append(contentsOf: chunk[..<count])
      } else if count == 0 || errno != EINTR {
        hasEnded = true
      }
    }
  }

  private mutating func taken(_ limit: Int) -> [String] {
    var lines: [String] = []
    var start = 0
    while lines.count < limit, let end = buffer[start...].firstIndex(of: 0x0A) {
      lines.append(Self.line(buffer[start..<end]))
      start = end + 1
    }
    if hasEnded, lines.count < limit, start < buffer.count {
      lines.append(Self.line(buffer[start...]))
      start = buffer.count
    }
    buffer.removeFirst(start)
    return lines
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
