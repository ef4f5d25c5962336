public import MessageModel

/// A message with all that platforms know of it, on its way into a sink.
public struct RichMessage {
  /// The time when it was written, rounded down to the precision.
  public var time: Timestamp
  /// The precision with which the time is known.
  public var precision: TimePrecision
  /// Its kind.
  public var kind: Message.Kind
  /// The name of its sender; `nil` for what nobody wrote.
  public var sender: String?
  /// Its text.
  public var text: String
  /// The details that only some messages have: the id on its platform, edits, reactions, attachments and what it answers.
  public var details: ImportDetails

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

extension RecordSink {
  /// Adds a message, behind those that the file had before. One that no store can take is passed over and reported.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - conversation: The name of its conversation, unless all of the import is to go into one
  ///     (``ImportOptions/conversation``).
  ///   - isDirect: Whether the source says that the conversation is between two people; `nil` if it does not say.
  ///   - identity: What its platform knows the conversation by, so that one of another server with the same name is
  ///     another; `nil` where its name is all there is.
  ///   - line: The number of the line at which the record begins, from 1; `nil` in formats without lines.
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

  /// The longest text that a record may have, in bytes.
  private static let longestText = 64 << 20

  /// Adds a line to the text of the message that was added last.
  ///
  /// - Returns: Whether there is such a message in what is not handed over yet; a reader that adds lines returns only
  ///   between messages.
  public mutating func extendLast(withLine line: String) -> Bool {
    var line = line
    return line.withUTF8 {
      extendLast(withLine: UnsafeRawBufferPointer($0), fallback: options.fallbackEncoding)
    }
  }

  /// Passes over a record, which is reported.
  ///
  /// - Parameters:
  ///   - line: The number of its line, from 1; `nil` in formats without lines.
  ///   - offset: Its offset in bytes, in formats without lines.
  ///   - reason: The reason, as half a sentence: "it has no time".
  ///   - record: The record as it stands in the file, of which the first 64 KiB are kept.
  public mutating func skip(line: Int? = nil, offset: Int64? = nil, reason: String, record: String) {
    var record = record
    record.withUTF8 { skip(line: line, offset: offset, reason: reason, record: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a message with its details.
  mutating func append(_ message: RichMessage, conversation: Int32) {
    let sender = message.sender.map { store($0) } ?? .none
    let text = store(message.text)
    let index = append(
      ImportBatch.Entry(
        time: message.time, precision: message.precision, kind: message.kind, conversation: conversation,
        sender: sender, text: text))
    if message.details != ImportDetails() { setDetails(message.details, ofEntry: index) }
  }
}
