public import MessageModel

/// A message with everything its platform records, to append to a sink.
public struct RichMessage {
  /// When it was written, rounded down to the precision.
  public var time: Timestamp
  /// The precision of the time.
  public var precision: TimePrecision
  /// Its kind.
  public var kind: Message.Kind
  /// The sender's name; `nil` for messages of no sender.
  public var sender: String?
  /// Its text.
  public var text: String
  /// Details that only some messages have: the id on its platform, edits, reactions, attachments, the message
  /// it replies to.
  public var details: ImportDetails
  /// The platform's word for what the message is, for example `poll`. It becomes the text, in brackets, if the
  /// message has neither text nor files nor reactions: nothing else of it is understood.
  public var word: String?

  /// Creates a message.
  public init(
    time: Timestamp, precision: TimePrecision = .millisecond, kind: Message.Kind = .text,
    sender: String? = nil, text: String, details: ImportDetails = ImportDetails()
  ) {
    self.time = time
    self.precision = precision
    self.kind = kind
    self.sender = sender
    self.text = text
    self.details = details
  }
}

extension RichMessage {
  /// Adds what was forwarded with the message: as its text or, where its sender added words, quoted behind these.
  ///
  /// Of several, each is quoted below its own origin, and the first is that of the message.
  mutating func addForwarded(_ words: String, from forward: Message.Forward) {
    let first = details.forward
    details.forward = first ?? forward
    if first == nil, text.isEmpty {
      text = words
      return
    }
    if let first, !first.isQuoted { text = Self.quoted(text, from: first) }
    details.forward?.isQuoted = true
    text = [text, Self.quoted(words, from: forward)].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func quoted(_ words: String, from forward: Message.Forward) -> String {
    let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
    return ([forward.line] + (words.isEmpty ? [] : lines)).joined(separator: "\n")
  }
}

extension RecordSink {
  /// Appends a message of the file.
  ///
  /// A message that no store can hold, as its time is out of range or its text longer than 64 MB, is skipped and
  /// reported.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - conversation: The conversation's name, unless the whole import goes into one
  ///     (``ImportOptions/conversation``).
  ///   - isDirect: Whether the source says that the conversation is between two people; `nil` if it does not
  ///     say.
  ///   - identity: The conversation's identity on its platform, which distinguishes it from a conversation of
  ///     the same name on another server; `nil` if it only has a name.
  ///   - line: The line at which the record begins, from 1; `nil` in formats without lines.
  /// - Complexity: O(bytes of the message).
  public mutating func append(
    _ message: RichMessage, to conversation: String, isDirect: Bool? = nil,
    identity: ConversationIdentity? = nil, line: Int? = nil
  ) {
    guard Timestamp.supported.contains(message.time) else {
      return skip(line: line, reason: "its time is out of the range of times", record: message.text)
    }
    guard message.text.utf8.count <= Self.longestText else {
      return skip(line: line, reason: "it is longer than \(Self.longestText >> 20) MB", record: message.text)
    }
    append(
      message,
      conversation: self.conversation(
        named: conversation, isDirect: isDirect, identity: identity, options))
  }

  private static let longestText = 64 << 20

  /// Appends a line to the text of the last message.
  ///
  /// A reader that appends lines may return from ``HistoryReader/read(into:)`` only between two messages.
  ///
  /// - Returns: Whether the current batch has a message to append to.
  public mutating func extendLast(withLine line: String) -> Bool {
    var line = line
    return line.withUTF8 {
      extendLast(withLine: UnsafeRawBufferPointer($0), fallback: options.fallbackEncoding)
    }
  }

  /// Skips a record and reports it.
  ///
  /// - Parameters:
  ///   - line: The record's line, from 1; `nil` in formats without lines.
  ///   - offset: The record's offset in bytes, in formats without lines.
  ///   - reason: The reason, as a clause: "it has no time".
  ///   - record: The record as in the file; the first 64 KiB are kept.
  public mutating func skip(line: Int? = nil, offset: Int64? = nil, reason: String, record: String) {
    var record = record
    record.withUTF8 { skip(line: line, offset: offset, reason: reason, record: UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ message: RichMessage, conversation: Int32) {
    let sender = message.sender.map { store($0) } ?? .none
    let text = store(message.text)
    let index = append(
      ImportBatch.Entry(
        time: message.time, precision: message.precision, kind: message.kind, conversation: conversation,
        sender: sender, text: text))
    if message.details != ImportDetails() { setDetails(message.details, ofEntry: index) }
    if saysNothing(index) { name(index, message.word) }
  }

  /// Names each message without text, file and reaction by its kind, in brackets.
  ///
  /// Details stay as they are: a store compares messages without details in another way.
  mutating func nameEmptyMessages() {
    for index in entries.entries.indices where saysNothing(index) { name(index, nil) }
  }

  /// Whether a message has neither text nor files nor reactions. One with the id of a store is as it was there.
  private func saysNothing(_ index: Int) -> Bool {
    guard entries.entries[index].text.isEmpty else { return false }
    guard let details = entries.details[index] else { return true }
    return details.id == nil && details.attachments.isEmpty && details.reactions.isEmpty
  }

  private mutating func name(_ index: Int, _ word: String?) {
    let kind = entries.entries[index].kind
    let word = word ?? ""
    let name = word.isEmpty ? kind == .text ? "message without text" : kind.name : word
    setName(BracketedName.of(name), ofEntry: index)
  }
}

extension ImportDetails {
  /// About how many bytes of memory the details take, including a slot in a half-empty hash table.
  var byteCount: Int {
    var count = 2 * MemoryLayout<Self>.stride + (message.senderID?.utf8.count ?? 0)
    count += message.payload?.count ?? 0
    for content in contents.values { count += content.count }
    count += (message.source?.id?.utf8.count ?? 0) + (message.source?.original?.utf8.count ?? 0)
    for edit in message.edits { count += MemoryLayout<Message.Edit>.stride + edit.text.utf8.count }
    for reaction in message.reactions {
      count += MemoryLayout<Message.Reaction>.stride + reaction.senders.count * MemoryLayout<String>.stride
      for sender in reaction.senders { count += sender.utf8.count }
    }
    for attachment in message.attachments {
      count += MemoryLayout<Message.Attachment>.stride
      count += attachment.name.utf8.count + (attachment.path?.utf8.count ?? 0)
    }
    return count
  }
}
