internal import MessageModel

/// A part of what a person, an assistant or a tool wrote at once: each becomes a message of its own, since a text, a thought
/// and a call of a tool are of different kinds.
struct AssistantPart {
  var kind: Message.Kind
  var text = ""
  /// The name of the tool whose result it is; else who wrote the whole did.
  var tool: String?
  var attachments: [Message.Attachment] = []
  /// The bytes of attachments that the history itself holds, by their place.
  var contents: [Int: [UInt8]] = [:]
  /// Whether the program says it of the session, and nobody in it.
  var isNote = false
  /// Whether it says nothing but that a call has ended. Earlier versions made no message of that, so that the numbers of the
  /// other parts of its record do not count it.
  private(set) var isEndAlone = false

  /// Whether nothing would be lost without it.
  var isEmpty: Bool { text.isEmpty && attachments.isEmpty }

  /// Whether nothing of it would be seen.
  var isBlank: Bool { attachments.isEmpty && text.allSatisfy(\.isWhitespace) }

  /// Returns what a program says of a session.
  static func note(_ text: String) -> AssistantPart {
    var part = AssistantPart(kind: .system, text: text)
    part.isNote = true
    return part
  }

  /// Returns what a call that has ended gave back: of one that gave nothing, that it has ended.
  func ended() -> AssistantPart {
    guard isBlank else { return self }
    var part = self
    part.isEndAlone = isEmpty
    part.text = "(no output)"
    return part
  }

  /// Attaches a file that the history holds.
  mutating func attach(_ name: String, type: String?, _ bytes: [UInt8]) {
    contents[attachments.count] = bytes
    attachments.append(Message.Attachment(name: name, mediaType: type, byteCount: bytes.count))
  }

  /// Attaches a picture or file that stands there as `data:image/png;base64,…` or by its address.
  mutating func attach(addressed address: String) {
    let number = attachments.count + 1
    guard address.hasPrefix("data:"), let comma = address.firstIndex(of: ",") else {
      attachments.append(Message.Attachment(name: "image-\(number)", path: address))
      return
    }
    let type = address[address.index(address.startIndex, offsetBy: 5)..<comma].prefix { $0 != ";" }
    let ending = type.split(separator: "/").last.map { "." + $0.prefix(8) } ?? ""
    attach("image-\(number)\(ending)", type: String(type), TransferEncoding.base64(address[comma...].utf8))
  }
}

extension RecordSink {
  /// Adds the parts of one record, which have one time, as messages that follow each other; those of which nothing would be
  /// seen are left out.
  ///
  /// - Parameters:
  ///   - precision: How exactly the time is known.
  ///   - platform: The platform whose ids they have.
  ///   - id: The id of the record; its second part is `id/2`, since only the record has one.
  ///   - home: The conversation whose branches share ids, where others may hold copies of the record.
  ///   - original: The record, if it is kept: with the first message.
  mutating func append(
    _ parts: [AssistantPart], at time: Timestamp, precision: TimePrecision = .millisecond,
    by sender: String?, senderID: String? = nil, platform: String, id: String,
    copiedWithin home: ConversationIdentity? = nil, original: Bytes? = nil,
    conversation: Int32
  ) {
    var original = original
    var (number, endCount) = (0, 0)
    for part in parts {
      if part.isEndAlone { endCount += 1 } else { number += 1 }
      if part.isBlank { continue }
      var message = RichMessage(
        time: time, precision: precision, kind: part.kind, sender: part.isNote ? nil : part.tool ?? sender,
        text: part.text)
      message.details.senderID = part.tool == nil && !part.isNote ? senderID : nil
      message.details.attachments = part.attachments
      message.details.contents = part.contents
      message.details.copiedWithin = home
      message.details.source = Message.Source(
        platform: platform,
        id: part.isEndAlone ? "\(id)/end-\(endCount)" : number == 1 ? id : "\(id)/\(number)",
        original: original?.string)
      original = nil
      append(message, conversation: conversation)
    }
  }
}

/// The text of calls and results that assistants and tools exchange.
enum AssistantText {
  /// Returns a call of a tool as text: its name, and a line for each thing that it was given.
  ///
  /// Strings stand as they are, so that their words are found; everything else as JSON.
  static func call(_ name: String, _ input: Bytes?) throws(JSONError) -> String {
    guard let input else { return name }
    let given = try arguments(input)
    return given.isEmpty ? name : "\(name)\n\(given)"
  }

  private static func arguments(_ input: Bytes) throws(JSONError) -> String {
    var scanner = JSONScanner(input)
    switch try scanner.kind() {
    case .string:
      // OpenAI's assistants give an object as JSON within a string.
      let text = try scanner.string().string()
      guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return text }
      var copy = text
      return copy.withUTF8 { try? lines(of: Bytes($0)) } ?? text
    case .object: return try lines(of: input)
    case .array, .number, .literal: return input.string
    }
  }

  private static func lines(of object: Bytes) throws(JSONError) -> String {
    var lines: [String] = []
    var scanner = JSONScanner(object)
    try scanner.object { scanner, key throws(JSONError) in
      let name = try key.string()
      let value = try scanner.value()
      lines.append("\(name): \(try plain(value))")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the string that a value is, or the JSON.
  static func plain(_ value: Bytes) throws(JSONError) -> String {
    var scanner = JSONScanner(value)
    guard try scanner.kind() == .string else { return value.string }
    return try scanner.string().string()
  }
}
