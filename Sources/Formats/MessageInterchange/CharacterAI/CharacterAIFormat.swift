internal import MessageModel

/// Character.AI's chats by CharacterAI Dumper, CAI Tools or the site itself: lists of chats or turns.
struct CharacterAIHistory: JSONHistory {
  private static let platform = "character-ai"

  private typealias Moment = (time: Timestamp, precision: TimePrecision)

  private let reader: AssistantReader
  private var times: LooseTime
  private let character: String?

  private static let peekByteCount = 1 << 18

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader(Self.platform, assistant: "Character.AI", options)
    times = LooseTime(options)
    let start = (try? file.source.peek(Self.peekByteCount)) ?? Bytes(start: nil, count: 0)
    var stream = JSONStream(ByteSource(MemoryProducer(Array(start))))
    var found: String?
    while found == nil, let next = try? stream.nextValue(Self.descends), case .value(let value, _) = next {
      guard let author = JSONFields(value)?.object("author"), !author.isTrue("is_human") else { continue }
      found = try? author.plainText("name")
    }
    character = found
  }

  func descends(into path: [String]) -> Bool { Self.descends(into: path) }

  private static func descends(into path: [String]) -> Bool {
    path.isEmpty || path == ["turns"] || path == ["histories"] || path == ["histories", "histories"]
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["histories", "*"], ["histories", "histories", "*"]: try takeChat(value, into: &sink)
    case ["turns", "*"], ["*"]: try takeTurn(value, into: &sink)
    default: break
    }
  }

  /// The chat, or a conversation for the replies not chosen.
  private static func talk(_ id: String, _ title: String?, isChosen: Bool) -> AssistantConversation {
    let trunk = AssistantConversation(platform, id: id, title: title, isSession: false)
    if isChosen { return trunk }
    return AssistantConversation(
      platform, id: "\(id)/other-answers", title: "\(trunk.title) (other answers)", isSession: false)
  }

  private mutating func takeTurn(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let turn = try JSONFields.reading(value)
    let key = turn.object("turn_key") ?? JSONFields()
    guard let chat = try key.plainText("chat_id"), let own = try key.plainText("turn_id") else {
      throw JSONError(reason: "it has no id")
    }
    let author = turn.object("author") ?? JSONFields()
    let isMine = author.isTrue("is_human")
    let primary = try turn.plainText("primary_candidate_id")
    let asked = try turn.plainText("create_time")
    var count = 0
    try turn.forEach("candidates") { candidate throws(JSONError) in
      let fields = try JSONFields.reading(candidate)
      count += 1
      let id = try fields.plainText("candidate_id") ?? "\(own)/\(count)"
      let written = try fields.plainText("create_time")
      let moment = try times.moment(written ?? asked)
      var part = AssistantPart(kind: .text, text: try fields.plainText("raw_content") ?? "")
      try Self.attach(fields, ["tti_image_rel_path"], to: &part)
      let isChosen = primary.map { $0 == id } ?? (count == 1)
      give(
        part, at: moment, name: try author.plainText("name"), isMine, id: "\(chat)/\(id)",
        in: Self.talk(chat, character, isChosen: isChosen), of: chat, original: candidate, into: &sink)
    }
    if count == 0 { throw JSONError(reason: "it has no candidates") }
  }

  private mutating func takeChat(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let chat = try JSONFields.reading(value)
    guard let id = try chat.plainText("external_id") else { throw JSONError(reason: "it has no id") }
    guard chat["msgs"] != nil else { throw JSONError(reason: "it has no messages") }
    var title: String?
    try chat.forEach("msgs") { message throws(JSONError) in
      guard title == nil, let source = JSONFields(message)?.object("src"), !source.isTrue("is_human") else {
        return
      }
      title = try source.plainText("name")
    }
    let begun = try chat.firstText(["created", "last_interaction"]).flatMap { times.read($0)?.time }
    var count = 0
    try chat.forEach("msgs") { message throws(JSONError) in
      count += 1
      do throws(JSONError) {
        let fields = try JSONFields.reading(message)
        let source = fields.object("src") ?? JSONFields()
        let own = try fields.firstText(["created", "created_at"]).flatMap { times.read($0) }
        guard let moment = own ?? begun.map({ ($0, .day) }) else { throw JSONError(reason: "it has no time") }
        var part = AssistantPart(kind: .text, text: try fields.plainText("text") ?? "")
        try Self.attach(fields, ["image_rel_path"], to: &part)
        let number = try fields.firstText(["uuid", "id"]) ?? "\(count)"
        give(
          part, at: moment, name: try source.plainText("name"), source.isTrue("is_human"),
          id: "\(id)/\(number)",
          in: Self.talk(id, title, isChosen: !fields.isTrue("is_alternative")), of: id, original: message,
          into: &sink)
      } catch {
        sink.skip(reason: "message \(count) of a chat: \(error.reason)", record: message)
      }
    }
  }

  private static func attach(
    _ fields: JSONFields, _ keys: [String], to part: inout AssistantPart
  ) throws(JSONError) {
    guard let path = try fields.firstText(keys), !path.isEmpty else { return }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    part.attachments.append(Message.Attachment(name: name, path: path))
  }

  private func give(
    _ part: AssistantPart, at moment: Moment, name: String?, _ isMine: Bool, id: String,
    in talk: AssistantConversation,
    of chat: String, original: Bytes, into sink: inout RecordSink
  ) {
    let shown = name.flatMap { $0.isEmpty ? nil : $0 }
    let author = isMine ? reader.options.me ?? shown ?? "me" : shown ?? character ?? reader.assistant
    reader.append(
      [part], at: moment.time, precision: moment.precision, by: .named(author), id: id, original: original,
      in: talk,
      copiedWithin: AssistantConversation(Self.platform, id: chat, title: nil), into: &sink)
  }
}
