/// The answer of a tool, as JSON Schema says it: that it has a sort, and a list under a key of its own. What an element of a list is stands in
/// docs/json.md and docs/agents.md, and what helps to go on in the instructions of the server.
struct AnswerSchema: Encodable {
  private let list: String

  /// Creates the form of the answers of a tool; `nil` for one that gives no list.
  init?(_ tool: AgentTool) {
    guard let list = Self.list(of: tool) else { return nil }
    self.list = list
  }

  private enum CodingKeys: CodingKey { case type, required }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("object", forKey: .type)
    try container.encode(["answer", list], forKey: .required)
  }

  /// The key of the list in an answer; `nil` for what is none.
  private static func list(of tool: AgentTool) -> String? {
    switch tool {
    case .listConversations: "conversations"
    case .listSenders: "senders"
    case .listPeople: "people"
    case .answerQuestion: "exchanges"
    case .searchMessages: "hits"
    case .readMessages: "messages"
    case .listDays: "days"
    case .listShared: "shared"
    case .listThreads: "threads"
    case .listSessions: "sessions"
    case .readAnniversaries: "years"
    case .countMessages: "groups"
    case .readMessage, .readAttachment, .getStatistics: nil
    }
  }
}
