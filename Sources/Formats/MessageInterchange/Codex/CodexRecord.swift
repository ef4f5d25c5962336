struct CodexRecord {
  enum Topic {
    /// The session: its id, folder and version.
    case session(JSONFields)
    /// The turn that begins: its model and folder.
    case turn(JSONFields)
    /// An item of the model's conversation.
    case item(JSONFields)
    /// An event for the screen, which mostly repeats an item.
    case event(JSONFields)
    /// A summary replaced the conversation so far.
    case compaction(JSONFields)
    /// A kind of later versions.
    case unknown
    case nothing
  }

  let topic: Topic
  let time: Bytes?

  init(_ fields: JSONFields) throws(JSONError) {
    time = fields["timestamp"]
    guard let payload = fields.object("payload") else {
      let isSession = fields["id"] != nil && fields["timestamp"] != nil && fields["type"] == nil
      topic = isSession ? .session(fields) : fields["type"] == nil ? .nothing : .item(fields)
      return
    }
    switch try fields.plainText("type") {
    case "session_meta": topic = .session(payload)
    case "turn_context": topic = .turn(payload)
    case "response_item": topic = .item(payload)
    case "event_msg": topic = .event(payload)
    case "compacted": topic = .compaction(payload)
    case let type?:
      // A line without these keys may be another program's.
      topic = CodexKinds.silentLines.contains(type) || time == nil ? .nothing : .unknown
    case nil: topic = .nothing
    }
  }

  /// The user's prompt; `nil` for other items and for texts that the program adds in the user's name.
  static func question(_ item: JSONFields) throws(JSONError) -> String? {
    guard try item.plainText("type") == "message", try item.plainText("role") == "user" else { return nil }
    var texts: [String] = []
    var hasPicture = false
    try item.forEach("content") { value throws(JSONError) in
      guard let part = JSONFields(value) else { return }
      if part["image_url"] != nil { hasPicture = true }
      if let text = try part.plainText("text") { texts.append(text) }
    }
    let text = texts.joined(separator: "\n")
    return isOfProgram(text) || (text.isEmpty && !hasPicture) ? nil : text
  }

  private static let programMarks = [
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
    "<INSTRUCTIONS>",
    "<subagent_notification>", "<skill>", "<user_shell_command>", "<permissions instructions>",
  ]

  static func isOfProgram(_ text: String) -> Bool { programMarks.contains { text.hasPrefix($0) } }
}
