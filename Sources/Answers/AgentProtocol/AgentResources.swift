internal import HistoryQueries
internal import MessageModel

/// A conversation or message that a client reads by its URI.
enum AgentResource: Hashable {
  /// The newest messages of a conversation.
  case conversation(Conversation.ID)
  case message(Message.ID)

  /// Parses a URI; `nil` if it is not one of this server.
  init?(uri: String) {
    let prefix = "scrollback://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "conversation":
      guard let id = Int64(parts[1]) else { return nil }
      self = .conversation(Conversation.ID(rawValue: id))
    case "message":
      guard let id = Message.ID(String(parts[1])) else { return nil }
      self = .message(id)
    default: return nil
    }
  }

  var uri: String {
    switch self {
    case .conversation(let id): "scrollback://conversation/\(id.rawValue)"
    case .message(let id): "scrollback://message/\(id)"
    }
  }

  var call: ToolCall {
    switch self {
    case .conversation(let id): ToolCall(PageQuestion(conversations: [.id(id)]))
    case .message(let id): ToolCall(MessageQuestion(id: id))
    }
  }

  static let mediaType = "application/json"
}

struct ListedResource: Encodable {
  let uri: String
  let name: String
  let mimeType = AgentResource.mediaType

  init(_ conversation: ConversationAnswer) {
    uri = AgentResource.conversation(conversation.id).uri
    name = conversation.name
  }

  private enum CodingKeys: CodingKey { case uri, name, mimeType }
}

struct ResourceTemplate: Encodable {
  let uriTemplate: String
  let name: String
  let description: String
  let mimeType = AgentResource.mediaType

  static let all = [
    ResourceTemplate(
      uriTemplate: "scrollback://conversation/{id}", name: "conversation",
      description: "The newest messages of a conversation, by its id."),
    ResourceTemplate(
      uriTemplate: "scrollback://message/{id}", name: "message", description: "A message, by its id."),
  ]

  private enum CodingKeys: CodingKey { case uriTemplate, name, description, mimeType }
}

struct ReadResource: Encodable {
  let uri: String
  let mimeType = AgentResource.mediaType
  let text: String

  private enum CodingKeys: CodingKey { case uri, mimeType, text }
}
