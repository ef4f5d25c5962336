internal import MessageModel

struct LooseMessage {
  var time: Bytes?
  var sender: Bytes?
  var text: Bytes?
  var conversation: Bytes?
  var id: Bytes?
  var kind: Bytes?
  var reply: Bytes?

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
    times = LooseTime(options)
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
    return details.source == nil ? nil : details
  }
}
