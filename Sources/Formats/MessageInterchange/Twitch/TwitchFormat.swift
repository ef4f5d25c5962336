internal import MessageModel

/// The comments follow the streamer's description.
struct TwitchHistory: JSONHistory {
  private let options: ImportOptions
  private var times: LooseTime
  private var conversation: String
  private var identity: ConversationIdentity?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(ImportOptions(timeZone: .gmt))
    conversation = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["comments"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["streamer"]:
      let streamer = try JSONFields.reading(value)
      if let name = try streamer.plainText("name"), !name.isEmpty { conversation = name }
      let id = try streamer.plainText("id")
      identity = id.flatMap { $0 == "0" ? nil : ConversationIdentity(platform: "twitch", key: $0) }
    case ["comments", "*"]: try takeComment(value, into: &sink)
    default: break
    }
  }

  private mutating func takeComment(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    let (time, precision) = try times.moment(try fields.plainText("created_at"))
    let message = fields.object("message") ?? JSONFields()
    var rich = RichMessage(time: time, precision: precision, text: try message.plainText("body") ?? "")
    if precision == .second { rich.precision = .millisecond }
    if message.isTrue("is_action") { rich.kind = .action }
    if let commenter = fields.object("commenter") {
      rich.sender = try commenter.firstText(["display_name", "name"])
      rich.details.senderID = try commenter.plainText("_id")
    }
    rich.details.source = Message.Source(
      platform: "twitch", id: try fields.plainText("_id"),
      original: options.keepsOriginal ? value.string : nil)
    rich.details.isNeverEdited = true
    sink.append(
      rich,
      conversation: sink.conversation(named: conversation, isDirect: false, identity: identity, options))
  }
}
