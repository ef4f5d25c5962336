internal import MessageModel

struct LooseMessage {
  var time: Bytes?
  var sender: Bytes?
  var text: Bytes?
  var conversation: Bytes?
  var id: Bytes?
  var kind: Bytes?
  var reply: Bytes?
  /// The names of attachments, in our own table.
  var files: Bytes?

  subscript(role: ColumnMap.Role) -> Bytes? {
    get {
      switch role {
      case .time: time
      case .sender: sender
      case .text: text
      case .conversation: conversation
      case .id: id
      case .kind: kind
      case .reply: reply
      }
    }
    set {
      switch role {
      case .time: time = newValue
      case .sender: sender = newValue
      case .text: text = newValue
      case .conversation: conversation = newValue
      case .id: id = newValue
      case .kind: kind = newValue
      case .reply: reply = newValue
      }
    }
  }
}

struct LooseMessageWriter {
  private let options: ImportOptions
  private let platform: String
  private let defaultConversation: String
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions, platform: String) {
    self.options = options
    self.platform = platform
    times = .formatted(options)
    defaultConversation = options.conversation ?? PathNames(file.components).conversation
  }

  /// Returns the reason if `message` is not valid.
  mutating func add(_ message: LooseMessage, record: Bytes, to sink: inout RecordSink) -> String? {
    guard let written = message.time, !written.isEmpty else { return "it has no time" }
    guard let (time, precision) = times.read(written) else { return times.reason(written) }
    let kind = message.kind.flatMap { Message.Kind(name: $0.string) } ?? .text
    let name = options.conversation ?? message.conversation.map(\.string) ?? defaultConversation
    let sender = message.sender.map { $0.isEmpty ? nil : $0 } ?? nil
    let index = sink.append(
      time: time, precision: precision, kind: kind,
      conversation: sink.conversation(named: name.isEmpty ? defaultConversation : name), sender: sender,
      text: message.text ?? Bytes(start: nil, count: 0), fallback: options.fallbackEncoding)
    if let details = details(of: message) { sink.setDetails(details, ofEntry: index) }
    if options.keepsOriginal {
      sink.keepOriginal(record, platform: platform, ofEntry: index, options.fallbackEncoding)
    }
    return nil
  }

  private func details(of message: LooseMessage) -> ImportDetails? {
    var details = ImportDetails()
    if let id = message.id, !id.isEmpty {
      details.source = Message.Source(platform: platform, id: id.string)
      details.hasDoubtfulID = true
      details.hasLocalID = true
    }
    if let reply = message.reply, !reply.isEmpty {
      details.source = details.source ?? Message.Source(platform: platform)
      details.hasLocalID = true
      details.replyTo = .external(reply.string)
    }
    if let files = message.files, !files.isEmpty, message.text?.isEmpty ?? true {
      details.attachments = TableExport.fileNames(files).map { Message.Attachment(name: $0) }
    }
    return details == ImportDetails() ? nil : details
  }
}

/// The text in an arbitrary JSON value. Programs for language models write a text as a list of blocks; others
/// as pieces with objects for their styles. Names and numbers in an object are not text.
enum LooseText {
  private static let keys = ["text", "content", "body", "message"]
  private static let deepest = 6

  static func read(_ value: Bytes, depth: Int = 0) throws(JSONError) -> String? {
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: return try scanner.string().string()
    case .number, .literal: return depth == 0 ? value.string : nil
    case .object:
      guard depth < deepest, let fields = JSONFields(value) else { return nil }
      for key in keys {
        if let inner = fields[key], let text = try read(inner, depth: depth + 1) { return text }
      }
      return nil
    case .array: return depth < deepest ? try join(value, depth: depth) : nil
    }
  }

  /// Pieces of a text are joined directly, blocks as lines.
  private static func join(_ list: Bytes, depth: Int) throws(JSONError) -> String? {
    var texts: [String] = []
    var hasPieces = false
    var scanner = JSONScanner(list)
    try scanner.array { scanner throws(JSONError) in
      let element = try scanner.value()
      if element.first == UInt8(ascii: "\"") { hasPieces = true }
      if let text = try read(element, depth: depth + 1) { texts.append(text) }
    }
    return texts.isEmpty ? nil : texts.joined(separator: hasPieces ? "" : "\n")
  }
}
