/// The answer of a tool, as JSON Schema says it: its sort and its list. What an element of a list is stands in docs/json.md and
/// docs/agents.md, and what helps to go on in the instructions of the server.
struct AnswerSchema: Encodable {
  private let tool: AgentTool

  init(_ tool: AgentTool) { self.tool = tool }

  private enum CodingKeys: CodingKey { case type, properties, required }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("object", forKey: .type)
    var properties = container.nestedContainer(keyedBy: NamedKey.self, forKey: .properties)
    try properties.encode(Property("string"), forKey: NamedKey("answer"))
    if let list = Self.list(of: tool) {
      try properties.encode(
        Property.list(list.description, of: tool == .readMessages ? ["array", "object"] : ["object"]),
        forKey: NamedKey(list.name))
    }
    try container.encode(["answer"] + (Self.list(of: tool).map { [$0.name] } ?? []), forKey: .required)
  }

  /// The key of the list in an answer; `nil` for what is none.
  private static func list(of tool: AgentTool) -> (name: String, description: String)? {
    switch tool {
    case .listConversations: ("conversations", "Conversations: name, messages, first, last, senders, id.")
    case .listSenders: ("senders", "Senders: name, messages, last, senderID, aliasOf.")
    case .listPeople: ("people", "People with their accounts.")
    case .answerQuestion:
      (
        "exchanges",
        "Exchanges: best (the id of the hit), score and messages, each as [time, sender, text, more]."
      )
    case .searchMessages:
      (
        "hits",
        "Hits, each with the messages before and after it: [time, sender, text, more], each given once."
      )
    case .readMessages:
      (
        "messages",
        "Messages: each as [time, sender, text, more], or an object if all that is known was asked for."
      )
    case .listDays: ("days", "Days or months with their messages counted.")
    case .listShared: ("shared", "Links or files with their messages.")
    case .listThreads: ("threads", "Threads with their first messages.")
    case .listSessions:
      ("sessions", "Sessions of assistants: conversation, program, project, models, question, times, tokens.")
    case .readAnniversaries: ("years", "Years with the first messages of the day.")
    case .countMessages: ("groups", "Groups with their messages counted.")
    case .readMessage, .readAttachment, .getStatistics: nil
    }
  }

  private struct Property: Encodable {
    let type: String
    var description: String?
    var items: Items?

    struct Items: Encodable {
      let type: [String]

      private enum CodingKeys: CodingKey { case type }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if type.count == 1 {
          try container.encode(type[0], forKey: .type)
        } else {
          try container.encode(type, forKey: .type)
        }
      }
    }

    init(_ type: String, _ description: String? = nil) { (self.type, self.description) = (type, description) }

    static func list(_ description: String, of types: [String] = ["object"]) -> Property {
      var list = Property("array", description)
      list.items = Items(type: types)
      return list
    }
  }
}
