/// The answer of a tool, as JSON Schema says it: its sort, its list, and how to go on. What an element of a list is stands in
/// docs/json.md and docs/agents.md.
struct AnswerSchema: Encodable {
  private let tool: AgentTool

  init(_ tool: AgentTool) { self.tool = tool }

  private enum CodingKeys: CodingKey { case type, properties, required }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("object", forKey: .type)
    var properties = container.nestedContainer(keyedBy: NamedKey.self, forKey: .properties)
    try properties.encode(Property("string", "The sort of the answer."), forKey: NamedKey("answer"))
    if let list = Self.list(of: tool) {
      try properties.encode(
        Property.list(list.description, of: tool == .readMessages ? ["array", "object"] : ["object"]),
        forKey: NamedKey(list.name))
    }
    for (name, property) in Self.common { try properties.encode(property, forKey: NamedKey(name)) }
    try container.encode(["answer"] + (Self.list(of: tool).map { [$0.name] } ?? []), forKey: .required)
  }

  private static let common: [(String, Property)] = [
    ("conversation", Property("string", "The conversation of all messages, where they are of one.")),
    ("total", Property("integer", "How many there are in all.")),
    ("nearest", Property.list("Names that are there, where nobody has the one asked for.", of: ["string"])),
    (
      "nothing",
      Property("object", "Which of the words are there, and which are not, where nothing was found.")
    ),
    ("more", .list("Ways to go on: each a direction and the arguments to change.")),
    ("shortened", Property("boolean", "Whether parts of a message were left out.")),
    ("then", Property("string", "What to ask next.")),
  ]

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
    let description: String
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

    init(_ type: String, _ description: String) { (self.type, self.description) = (type, description) }

    static func list(_ description: String, of types: [String] = ["object"]) -> Property {
      var list = Property("array", description)
      list.items = Items(type: types)
      return list
    }
  }
}
