internal import MessageModel

struct TeamsHistory: JSONHistory {
  private static let mostNames = 100_000

  private let options: ImportOptions
  private let fileName: String
  private var times = LooseTime(ImportOptions(timeZone: .gmt))
  private var names: [String: String] = [:]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["value"] || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["*"], ["value", "*"], ["messages", "*"]: try take(JSONFields.reading(value), value, into: &sink)
    default: break
    }
  }

  private mutating func take(
    _ fields: JSONFields, _ value: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    let channel = fields.object("channelIdentity")
    let channelID = try channel?.plainText("channelId")
    let place = try fields.plainText("chatId") ?? channelID ?? ""
    let (time, precision) = try times.moment(try fields.plainText("createdDateTime"))
    try learnNames(fields)
    var message = try TeamsMessage(fields: fields, place: place, names: names, times: times).message()
    // Trailing zeros of a fraction are omitted, and a zero fraction entirely.
    (message.time, message.precision) = (time, precision == .second ? .millisecond : precision)
    message.details.source = Message.Source(
      platform: "teams", id: try fields.plainText("id").map { "\(place)/\($0)" },
      original: options.keepsOriginal ? value.string : nil)
    sink.append(
      message,
      conversation: sink.conversation(
        named: fileName, isDirect: place.hasSuffix("@unq.gbl.spaces") ? true : channel == nil ? nil : false,
        identity: ConversationIdentity(platform: "teams", key: place), options))
  }

  private mutating func learnNames(_ fields: JSONFields) throws(JSONError) {
    try learn(fields.object("from"))
    try fields.forEach("mentions") { mention throws(JSONError) in
      try learn(JSONFields(mention)?.object("mentioned"))
    }
  }

  private mutating func learn(_ identity: JSONFields?) throws(JSONError) {
    guard let user = identity?.object("user"), let id = try user.plainText("id"),
      let name = try user.plainText("displayName"), !name.isEmpty,
      names[id] != nil || names.count < Self.mostNames
    else { return }
    names[id] = name
  }
}

extension TeamsHistory: JSONRows {
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    try take(fields, line, into: &sink)
  }
}
