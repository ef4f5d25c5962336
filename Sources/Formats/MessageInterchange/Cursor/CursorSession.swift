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

  var talk: AssistantTalk {
    var shown = title
    if let parent { shown = "\(title ?? "agent") (agent of \(parent.prefix(8)))" }
    return AssistantTalk(
      CursorHistory.platform, id: id, folder: folder, title: shown, isSession: parent == nil)
  }
}

extension LooseTime {
  mutating func moment(in value: Bytes) throws(JSONError) -> CursorSession.Moment? {
    read(try AssistantText.plain(value))
  }
}
