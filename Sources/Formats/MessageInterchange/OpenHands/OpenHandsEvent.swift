internal import MessageModel

/// What an event of OpenHands says.
struct OpenHandsEvent {
  private(set) var parts: [AssistantPart] = []
  private(set) var isMine = false

  /// Kinds of the program's own state, and of what other events say.
  private static let silentKinds: Set<String> = [
    "CondensationRequest", "ConversationStateUpdateEvent", "HookExecutionEvent", "LLMCompletionLogEvent",
    "PauseEvent", "ResumeTranscriptEvent", "StreamingDeltaEvent", "SystemPromptEvent", "TokenEvent",
  ]

  init(_ event: JSONFields, _ value: Bytes) throws(JSONError) {
    let kind = try event.plainText("kind") ?? ""
    switch kind {
    case "MessageEvent":
      let message = event.object("llm_message") ?? JSONFields()
      parts = try Self.thoughts(of: message)
      parts.append(try Self.content(of: message, "content", .text))
      switch try event.plainText("source") {
      case "user": isMine = true
      case "environment": for place in parts.indices { parts[place].becomeNote() }
      default: break
      }
      parts = parts.said
    case "ActionEvent": parts = try Self.called(event)
    case "ObservationEvent": parts = try Self.observed(event)
    case "UserRejectObservation":
      parts = [try Self.result(event, "rejected: \(try event.plainText("rejection_reason") ?? "")")]
    case "AgentErrorEvent": parts = [try Self.result(event, "failed: \(try event.plainText("error") ?? "")")]
    case "ConversationErrorEvent":
      let reason = try event.firstText(["detail", "message", "code"])
      parts = [.note("failed: \(reason ?? "")")]
    case "Condensation", "CondensationSummaryEvent":
      let lines = ["context compacted", try event.plainText("summary")].compactMap(\.self)
      parts = [.note(lines.joined(separator: "\n"))]
    case _ where Self.silentKinds.contains(kind): break
    default: parts = [.unknown(value)]
    }
  }

  private static func thoughts(of fields: JSONFields) throws(JSONError) -> [AssistantPart] {
    var texts = [try fields.plainText("reasoning_content") ?? ""]
    if texts[0].isEmpty {
      texts = try fields.map("thinking_blocks") { block throws(JSONError) in try block.plainText("thinking") }
    }
    return texts.filter { !$0.isEmpty }.map { AssistantPart(kind: .thinking, text: $0) }
  }

  private static func content(
    of fields: JSONFields, _ key: String, _ kind: Message.Kind
  ) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: kind)
    guard let content = fields[key], content.first == UInt8(ascii: "[") else {
      part.text = try fields.plainText(key) ?? ""
      return part
    }
    var texts: [String] = []
    try fields.forEach(key) { value throws(JSONError) in
      guard let block = JSONFields(value) else { return texts.append(try AssistantText.plain(value)) }
      let pictures = try block.strings("image_urls")
      for address in pictures { part.attach(addressed: address) }
      if pictures.isEmpty { texts.append(try block.plainText("text") ?? value.string) }
    }
    part.text = texts.filter { !$0.isEmpty }.joined(separator: "\n")
    return part
  }

  private static func called(_ event: JSONFields) throws(JSONError) -> [AssistantPart] {
    var parts = try thoughts(of: event)
    parts.append(try content(of: event, "thought", .text))
    let (call, action) = (event.object("tool_call"), event.object("action"))
    let (own, given) = (try event.plainText("tool_name"), try call?.plainText("name"))
    let name = own ?? given ?? "tool"
    switch name {
    case "finish": parts.append(AssistantPart(kind: .text, text: try action?.plainText("message") ?? ""))
    case "think": parts.append(AssistantPart(kind: .thinking, text: try action?.plainText("thought") ?? ""))
    default:
      let input = call?["arguments"] ?? event["action"]
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, input)))
    }
    return parts.said
  }

  private static func observed(_ event: JSONFields) throws(JSONError) -> [AssistantPart] {
    let name = try event.plainText("tool_name") ?? ""
    // Their calls say the same.
    if ["finish", "think"].contains(name) { return [] }
    let observation = event.object("observation") ?? JSONFields()
    let key = ["content", "output", "text", "error"].first { observation[$0] != nil } ?? "content"
    var part = try content(of: observation, key, .result)
    part.tool = name.isEmpty ? "tool" : name
    if observation.isTrue("is_error") { part.text = "failed: \(part.text)" }
    return [part.ended()]
  }

  private static func result(_ event: JSONFields, _ text: String) throws(JSONError) -> AssistantPart {
    var part = AssistantPart(kind: .result, text: text)
    part.tool = try event.plainText("tool_name") ?? "tool"
    return part
  }
}
