internal import MessageModel

struct CursorSession {
  typealias Moment = (time: Timestamp, precision: TimePrecision)

  struct Header {
    var id: String
    var time: Moment?
  }

  var id = ""
  var title: String?
  var started: Moment?
  var model: String?
  var folder: String?
  /// The chat that this one is an agent of.
  var parent: String?
  var facts = SessionFacts()
  var headers: [Header] = []

  mutating func note(_ key: String, _ value: Bytes, _ times: inout LooseTime) throws(JSONError) {
    switch key {
    case "composerId", "tabId": id = try AssistantText.plain(value)
    case "name", "chatTitle":
      let name = try AssistantText.plain(value)
      if !name.isEmpty, name != "null" { title = name }
    case "createdAt": started = try times.moment(in: value) ?? started
    // Chats of 2023 and 2024 only have the time of the last message.
    case "lastSendTime": if started == nil { started = try times.moment(in: value) }
    case "modelConfig":
      if let name = try JSONFields(value)?.plainText("modelName"), name != "default" { model = name }
    case "subagentInfo": parent = try JSONFields(value)?.plainText("parentComposerId") ?? parent
    case "workspaceIdentifier": folder = try Self.folder(JSONFields(value)) ?? folder
    case "contextTokensUsed": facts.contextTokens = max(Int64(value.string) ?? 0, 0)
    case "usageData": try noteUsage(value)
    default: break
    }
  }

  mutating func noteHeader(_ value: Bytes, _ times: inout LooseTime) throws(JSONError) {
    guard let fields = JSONFields(value), let id = try fields.plainText("bubbleId") else { return }
    let created = try fields["createdAt"].map { value throws(JSONError) in try times.moment(in: value) }
    headers.append(Header(id: id, time: created ?? nil))
  }

  mutating func noteHead(_ fields: JSONFields) throws(JSONError) {
    if title == nil, let name = try fields.plainText("name"), !name.isEmpty { title = name }
    if folder == nil { folder = try Self.folder(fields.object("workspaceIdentifier")) }
    if parent == nil { parent = try fields.object("subagentInfo")?.plainText("parentComposerId") }
  }

  private mutating func noteUsage(_ value: Bytes) throws(JSONError) {
    guard let usage = JSONFields(value) else { return }
    for name in usage.keys {
      guard let model = usage.object(name) else { continue }
      facts.dollars += max(Double(try model.plainText("costInCents") ?? "") ?? 0, 0) / 100
      facts.requestCount = facts.requestCount.adding(max(model.integer("amount") ?? 0, 0))
    }
  }

  private static func folder(_ identifier: JSONFields?) throws(JSONError) -> String? {
    let uri = identifier?.object("uri") ?? identifier?.object("configPath")
    return try uri?.firstText(["fsPath", "path", "external"])
  }

  var talk: AssistantConversation {
    AssistantConversation(
      CursorHistory.platform, id: id, folder: folder, title: title, agentOf: parent?.prefix(8))
  }
}

extension LooseTime {
  mutating func moment(in value: Bytes) throws(JSONError) -> CursorSession.Moment? {
    read(try AssistantText.plain(value))
  }
}

/// Where the messages of the current chat go, and the times of those without one.
struct CursorReading {
  let place: Int
  var rows: CursorRows?
  /// Whether the chat no longer lists the next message.
  var isLeftBehind = false
  private(set) var count = 0

  private var session: CursorSession
  private let folder: String?
  private let isTimeless: Bool
  private var talk: AssistantConversation?
  private var leftBehind: AssistantConversation?
  private var last: CursorSession.Moment?
  private var timelessCount = 0

  /// `folder` is the storage's workspace, for chats that do not name theirs.
  init(_ session: CursorSession, at place: Int, folder: String?, isTimeless: Bool = false) {
    self.isTimeless = isTimeless
    self.session = session
    self.place = place
    self.folder = folder
  }

  /// `id` is for a message without an id of its own; `listed` is the time in the chat's list of messages.
  mutating func take(
    _ fields: JSONFields, _ original: Bytes, id: String, _ listed: CursorSession.Moment?,
    _ times: inout LooseTime, _ reader: AssistantReader, into sink: inout RecordSink
  ) throws(JSONError) {
    count += 1
    let bubble = try CursorBubble(fields, original, &times)
    guard !bubble.parts.isEmpty else { return }
    guard let moment = moment(bubble.time ?? listed) else {
      timelessCount += 1
      return
    }
    let talk = begin(with: bubble, at: moment, reader, into: &sink)
    reader.append(
      bubble.parts, at: moment.time, precision: moment.precision,
      by: bubble.isMine ? .me : .assistant(model: bubble.model ?? session.model),
      id: "\(session.id)/\(bubble.id ?? id)", original: original, in: talk, into: &sink)
  }

  func finish(into sink: inout RecordSink) {
    guard timelessCount > 0 else { return }
    let messages = timelessCount == 1 ? "1 message" : "\(timelessCount) messages"
    sink.skip(
      reason: "\(messages) of the chat \(session.id.prefix(80)): neither they nor the chat have a time")
  }

  /// The message's own time, or else that of the previous message or of the chat.
  private mutating func moment(_ own: CursorSession.Moment?) -> CursorSession.Moment? {
    last = own ?? last ?? session.started.map { ($0.time, isTimeless ? .day : $0.precision) }
    return last
  }

  private mutating func begin(
    with bubble: CursorBubble, at moment: CursorSession.Moment, _ reader: AssistantReader,
    into sink: inout RecordSink
  ) -> AssistantConversation {
    let trunk = talk ?? firstTalk(with: bubble, at: moment, reader, into: &sink)
    talk = trunk
    guard isLeftBehind else { return trunk }
    let branch =
      leftBehind
      ?? AssistantConversation("left behind", of: trunk, id: "left-behind", title: bubble.parts.first?.text)
    leftBehind = branch
    return branch
  }

  private mutating func firstTalk(
    with bubble: CursorBubble, at moment: CursorSession.Moment, _ reader: AssistantReader,
    into sink: inout RecordSink
  ) -> AssistantConversation {
    session.folder = (session.folder ?? bubble.folder ?? folder).map(CursorWorkspace.path)
    if session.title == nil { session.title = bubble.parts.first { $0.kind == .text }?.text }
    let talk = session.talk
    let beginning = session.started ?? moment
    let facts = session.facts.part
    reader.append(
      facts.isEmpty ? [] : [facts], at: min(beginning.time, moment.time), id: "\(session.id)/facts", in: talk,
      into: &sink)
    return talk
  }
}
