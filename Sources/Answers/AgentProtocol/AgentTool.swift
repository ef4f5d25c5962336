internal import HistoryQueries
internal import MessageModel

/// A tool of an agent: a question of docs/json.md, with its keys.
struct AgentTool: Sendable {
  let name: String
  /// The name where people choose.
  let title: String
  /// The purpose, for the model.
  let description: String
  /// The arguments.
  let schema: JSONSchema
  /// The key of the list in an answer; `nil` for an answer that is not a list.
  let list: String?
  /// Whether a call says how long the answer may be.
  let isPortioned: Bool
  /// Reads a call from its arguments.
  let call: @Sendable (ToolArguments) throws -> ToolCall

  init(
    _ name: String, _ title: String, _ description: String, keys: JSONSchema.Properties,
    needed: [String] = [], about: String = "", list: String? = nil, isPortioned: Bool = false,
    call: @escaping @Sendable (ToolArguments) throws -> ToolCall
  ) {
    (self.name, self.title, self.description) = (name, title, description)
    (self.list, self.isPortioned, self.call) = (list, isPortioned, call)
    schema = .object(about, keys, needed: needed)
  }
}

/// A tool, as it is listed.
struct ListedTool: Encodable {
  let name: String
  let title: String
  let description: String
  let inputSchema: JSONSchema
  /// The form of the values beside texts; `nil` where there are none, and for a single thing.
  let outputSchema: AnswerSchema?
  let annotations = Annotations()

  /// The promises to a client.
  struct Annotations: Encodable {
    let readOnlyHint = true
    let openWorldHint = false

    private enum CodingKeys: CodingKey { case readOnlyHint, openWorldHint }
  }

  /// - Parameter isStructured: Whether answers are given as values, too.
  init(_ tool: AgentTool, isStructured: Bool) {
    (name, title, description, inputSchema) = (tool.name, tool.title, tool.description, tool.schema)
    outputSchema = isStructured ? tool.list.map(AnswerSchema.init) : nil
  }

  private enum CodingKeys: CodingKey { case name, title, description, inputSchema, outputSchema, annotations }
}

/// The JSON Schema of the answers of a tool: an answer has a sort, and a list under a key of its own. docs/json.md and docs/agents.md
/// describe the elements of lists, the instructions of the server how to continue.
struct AnswerSchema: Encodable {
  /// The key of the list.
  let list: String

  private enum CodingKeys: CodingKey { case type, required }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("object", forKey: .type)
    try container.encode(["answer", list], forKey: .required)
  }
}
