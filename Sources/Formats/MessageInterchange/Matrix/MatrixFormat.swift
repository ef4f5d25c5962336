internal import MessageModel

/// Element's JSON export of a room, or other tools' dumps of the same events.
/// Edits and reactions are separate events after their message, so the last few thousand messages are held.
/// An edit or reaction to an older one becomes a message that replies to it.
struct MatrixHistory: JSONHistory {
  private static let mostHeld = 8_192
  private static let mostHeldBytes = 8 << 20

  private let options: ImportOptions
  private let fileName: String
  private var roomName: String?
  private var roomID: String?
  private var isDirect: Bool?
  private var room = MatrixRoom()
  private var held: [RichMessage] = []
  private var heldByteCount = 0
  private var places: [String: Int] = [:]
  private var givenCount = 0

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] || path == ["chunk"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["room_name"]:
      roomName = try value.jsonString()
    case ["messages", "*"], ["chunk", "*"], ["*"]:
      try takeEvent(try JSONFields.reading(value), value)
      handOverIfFull(to: &sink)
    default: break
    }
  }

  private mutating func handOverIfFull(to sink: inout RecordSink) {
    if held.count >= Self.mostHeld || heldByteCount >= Self.mostHeldBytes {
      handOver(max(1, held.count / 2), to: &sink)
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) { handOver(held.count, to: &sink) }

  mutating func breakOff(into sink: inout RecordSink) { handOver(held.count, to: &sink) }

  private mutating func handOver(_ count: Int, to sink: inout RecordSink) {
    guard count > 0 else { return }
    let name = roomName.flatMap { $0.isEmpty ? nil : $0 } ?? roomID ?? fileName
    let identity = roomID.flatMap { ConversationIdentity(platform: "matrix", key: $0) }
    let conversation = sink.conversation(named: name, isDirect: isDirect, identity: identity, options)
    for message in held[..<count] {
      if let id = message.details.source?.id { places[id] = nil }
      heldByteCount -= message.text.utf8.count
      sink.append(message, conversation: conversation)
    }
    held.removeFirst(count)
    givenCount += count
  }

  private mutating func takeEvent(_ fields: JSONFields, _ value: Bytes) throws(JSONError) {
    guard let milliseconds = fields.integer("origin_server_ts") else {
      throw JSONError(reason: "it has no time")
    }
    if roomID == nil { roomID = try fields.string("room_id") }
    let sender = try fields.string("sender") ?? ""
    let event = MatrixEvent(
      fields: fields, type: try fields.string("type") ?? "", sender: sender,
      time: Timestamp(millisecondsSince1970: milliseconds))
    if try event.relation("m.replace") != nil || event.type == "m.reaction", try apply(event) { return }
    // The redacted event itself says so.
    if event.type == "m.room.redaction" { return }
    var message = try event.message(in: room)
    if event.type == "m.room.member", let person = try fields.string("state_key") {
      if event.content?.isTrue("is_direct") == true { isDirect = true }
      try rename(person, event)
    }
    message.sender = room.name(of: sender)
    message.details.senderID = sender.isEmpty ? nil : sender
    message.details.source = Message.Source(
      platform: "matrix", id: try fields.string("event_id"),
      original: options.keepsOriginal ? value.string : nil)
    if MatrixPoll.isPart(event.type), let id = message.details.source?.id,
      let poll = try MatrixPoll(event.content)
    {
      room.note(poll, id: id)
    }
    hold(message)
  }

  private mutating func hold(_ message: RichMessage) {
    if let id = message.details.source?.id { places[id] = givenCount + held.count }
    heldByteCount += message.text.utf8.count
    held.append(message)
  }

  /// Applies an edit or reaction; returns `false` if its message is no longer held.
  private mutating func apply(_ event: MatrixEvent) throws(JSONError) -> Bool {
    let isReaction = event.type == "m.reaction"
    guard let target = try event.relation(isReaction ? "m.annotation" : "m.replace"),
      let place = places[target]
    else { return false }
    let index = place - givenCount
    if isReaction {
      guard let key = try event.reaction() else { return false }
      held[index].details.addReaction(key, by: room.name(of: event.sender))
      return true
    }
    // Only the author may edit a message.
    guard held[index].details.senderID == event.sender, let text = try event.replacement() else {
      return false
    }
    held[index].details.edits.append(Message.Edit(time: event.time, text: held[index].text))
    held[index].details.isEdited = true
    heldByteCount += text.utf8.count - held[index].text.utf8.count
    held[index].text = text
    if let poll = try MatrixPoll(event.content?.object("m.new_content")) { room.note(poll, id: target) }
    return true
  }

  private mutating func rename(_ person: String, _ event: MatrixEvent) throws(JSONError) {
    guard let name = try event.content?.string("displayname"), !name.isEmpty else { return }
    room.rename(person, to: name)
  }
}

extension MatrixHistory: JSONRows {
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    try takeEvent(fields, line)
    handOverIfFull(to: &sink)
  }

  mutating func finish(into sink: inout RecordSink) { handOver(held.count, to: &sink) }
}
