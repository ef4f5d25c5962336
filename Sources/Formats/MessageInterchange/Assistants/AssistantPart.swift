internal import MessageModel

/// Each part becomes a message, since texts, thoughts and tool calls are of different kinds.
struct AssistantPart {
  var kind: Message.Kind
  var text = ""
  /// The tool whose result this is; `nil` if the record's sender wrote it.
  var tool: String?
  /// The platform's word for what it is, which names it if it says nothing; `nil` for the word of its kind.
  var word: String?
  var attachments: [Message.Attachment] = []
  /// The bytes of attachments within the history, by the attachment's index.
  var contents: [Int: [UInt8]] = [:]
  /// Whether the program itself reports it, without a sender.
  var isNote = false
  /// Whether it only says that a call has ended. Earlier versions made no message of such a part, so it does
  /// not count in the numbers of the record's other parts.
  private(set) var isEndAlone = false

  var isEmpty: Bool { text.isEmpty && attachments.isEmpty }

  var isBlank: Bool { attachments.isEmpty && text.allSatisfy(\.isWhitespace) }

  /// Whether a person may have typed it: a text, or a command that the program ran itself.
  var isTyped: Bool { tool == nil && !isNote && (kind == .text || kind == .system && text.hasPrefix("/")) }

  /// A record or a part of a kind that is not known, as it stands.
  static func unknown(_ record: Bytes) -> AssistantPart { AssistantPart(kind: .unknown, text: record.string) }

  static func note(_ text: String) -> AssistantPart {
    var part = AssistantPart(kind: .system, text: text)
    part.isNote = true
    return part
  }

  func ended() -> AssistantPart {
    guard isBlank else { return self }
    var part = self
    part.isEndAlone = isEmpty
    part.text = "(no output)"
    return part
  }

  mutating func attach(_ name: String, type: String?, _ bytes: [UInt8]) {
    contents[attachments.count] = bytes
    attachments.append(Message.Attachment(name: name, mediaType: type, byteCount: bytes.count))
  }

  /// Attaches a picture or file given as `data:image/png;base64,…` or as an address.
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

extension [AssistantPart] {
  /// The parts that are not empty; if all are, the first one, so that the record is named.
  var said: [AssistantPart] {
    let said = filter { !$0.isEmpty }
    return said.isEmpty ? Array(prefix(1)) : said
  }
}

enum AssistantText {
  /// A tool call as text: its name, and a line for each argument. Strings stand as they are, so that search
  /// finds their words; everything else as JSON.
  static func call(_ name: String, _ input: Bytes?) throws(JSONError) -> String {
    let name = name.isEmpty ? "tool" : name
    guard let input else { return name }
    let given = try arguments(input)
    return given.isEmpty ? name : "\(name)\n\(given)"
  }

  static func arguments(_ input: Bytes) throws(JSONError) -> String {
    var scanner = JSONScanner(input)
    switch try scanner.kind() {
    case .string:
      // OpenAI's assistants write the object as JSON within a string.
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

  static func plain(_ value: Bytes) throws(JSONError) -> String {
    var scanner = JSONScanner(value)
    guard try scanner.kind() == .string else { return value.string }
    return try scanner.string().string()
  }
}

struct ToolNames {
  private var names: [String: String] = [:]
  private var former: [String: String] = [:]

  /// At least this many calls are remembered.
  private static let capacity = 1_024

  mutating func note(_ id: String?, _ name: String) {
    guard let id else { return }
    if names.count >= Self.capacity { (former, names) = (names, [:]) }
    names[id] = name
  }

  func name(of id: String?) -> String { id.flatMap { names[$0] ?? former[$0] } ?? "tool" }
}
