internal import MessageModel

struct SignalExportHistory: JSONRows {
  private let options: ImportOptions
  private let conversation: String
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    let folder = file.name == SignalExportFormat.fileName ? file.components.dropLast().last : nil
    conversation = options.conversation ?? folder ?? PathNames(file.components).conversation
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    sink.append(try message(fields, line), conversation: sink.conversation(named: conversation))
  }

  private mutating func message(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> RichMessage {
    let (time, precision) = try times.moment(try fields.string("date"))
    var message = RichMessage(time: time, precision: precision, text: try fields.string("body") ?? "")
    let sender = try fields.string("sender") ?? ""
    message.sender = sender == "Me" ? options.me ?? sender : sender.isEmpty ? nil : sender
    if fields.isTrue("call") { (message.kind, message.text) = (.call, callText(fields, message.text)) }
    if fields.isTrue("deleted") { (message.kind, message.text) = (.system, "message deleted") }
    try fields.forEach("reactions") { value throws(JSONError) in
      var parts: [String] = []
      var scanner = JSONScanner(value)
      try scanner.array { scanner throws(JSONError) in parts.append(try scanner.string().string()) }
      if parts.count == 2 { message.details.addReaction(parts[1], by: parts[0]) }
    }
    message.details.attachments = try attachments(fields)
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "signal", original: line.string)
    }
    return message
  }

  private func callText(_ fields: JSONFields, _ text: String) -> String {
    text.isEmpty ? (fields.isTrue("missed") ? "missed call" : "call") : text
  }

  private func attachments(_ fields: JSONFields) throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    try fields.forEach("attachments") { value throws(JSONError) in
      guard let file = JSONFields(value) else { return }
      let path = try file.firstText(["path", "localPath"])
      let name = try file.firstText(["name", "fileName"]) ?? path ?? "file"
      attachments.append(
        Message.Attachment(
          name: name, mediaType: try file.firstText(["contentType", "mimetype"]), path: path))
    }
    if let sticker = try fields.plainText("sticker") { attachments.append(Message.Attachment(name: sticker)) }
    return attachments
  }
}

extension ImportDetails {
  mutating func addReaction(_ emoji: String, by sender: String) {
    if let known = reactions.firstIndex(where: { $0.emoji == emoji }) {
      reactions[known].senders.append(sender)
    } else {
      reactions.append(Message.Reaction(emoji: emoji, senders: [sender]))
    }
  }
}
