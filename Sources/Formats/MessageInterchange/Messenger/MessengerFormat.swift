internal import MessageModel

/// Facebook's Messenger and Instagram: the JSON of "Download your information" and of encrypted chats.
/// A file has at most 10,000 messages, newest first, followed by the title. Messages are held until the end
/// and emitted oldest first; an unusually large file is emitted in parts.
struct MessengerHistory: JSONHistory {
  private static let mostHeld = 50_000

  private let options: ImportOptions
  private let fileName: String
  private let isElsewhere: Bool
  private var thread: String?
  private var title: String?
  private var threadType: String?
  private var peopleCount = 0
  /// The other person of a direct chat, whose name is its title. The title comes last in the file.
  private var partner: String?
  private var held: [RichMessage] = []

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let isInFolder = file.name.hasPrefix("message_")
    let folders = isInFolder ? file.folder : file.components
    thread = isInFolder ? Self.thread(ofFolder: folders.last) : nil
    isElsewhere = isInFolder && thread == nil
    fileName = PathNames(folders).conversation
  }

  /// `inbox/ann_abc123/message_1.json` belongs to `ann_abc123`. Any other folder is the user's.
  static func thread(ofFolder name: String?) -> String? { name.flatMap { $0.contains("_") ? $0 : nil } }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["title"], ["threadName"]:
      title = Mojibake.mended(try value.jsonString())
    case ["thread_path"]:
      // `inbox/ann_abc123`: the first part changes when the chat is archived.
      thread = try value.jsonString().split(separator: "/").last.map(String.init) ?? thread
    case ["thread_type"]:
      threadType = try value.jsonString()
    case ["participants"]:
      var scanner = JSONScanner(value)
      try scanner.array { scanner throws(JSONError) in
        let person = try scanner.value()
        peopleCount += 1
        if partner == nil { partner = try other(person) }
      }
    case ["messages", "*"]:
      held.append(try message(value))
      if held.count >= Self.mostHeld { handOver(to: &sink) }
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.isEmpty { handOver(to: &sink) }
  }

  mutating func breakOff(into sink: inout RecordSink) { handOver(to: &sink) }

  private mutating func handOver(to sink: inout RecordSink) {
    let partner = isElsewhere && thread == nil && isDirect == true ? partner : nil
    let name = title.flatMap { $0.isEmpty ? nil : $0 } ?? partner ?? fileName
    let identity = thread.flatMap { ConversationIdentity(platform: "messenger", key: $0) }
    let conversation = sink.conversation(named: name, isDirect: isDirect, identity: identity, options)
    // A file that was cut has no title, which comes last.
    if let title, !title.isEmpty { sink.noteTitle(title, ofConversation: conversation) }
    let isNewestFirst =
      (held.first?.time ?? .supported.lowerBound) > (held.last?.time ?? .supported.lowerBound)
    for message in isNewestFirst ? held.reversed() : held { sink.append(message, conversation: conversation) }
    held.removeAll()
  }

  private func other(_ person: Bytes) throws(JSONError) -> String? {
    let name = try JSONFields(person)?.plainText("name").map(Mojibake.mended)
    return name == options.me ? nil : name
  }

  /// `Regular` is a direct chat, `RegularGroup` a group. Newer files only list the members.
  private var isDirect: Bool? {
    threadType.map { $0 == "Regular" } ?? (peopleCount < 2 ? nil : peopleCount == 2)
  }

  private func message(_ value: Bytes) throws(JSONError) -> RichMessage {
    var message = try MessengerMessage(try JSONFields.reading(value)).read()
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "messenger", original: value.string)
    }
    return message
  }
}

/// Text whose UTF-8 was written as if each byte were a character.
enum Mojibake {
  static func mended(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return text }
      bytes.append(byte)
    }
    return bytes.withUnsafeBytes { UTF8Check.isValid($0) ? $0.string : text }
  }
}
