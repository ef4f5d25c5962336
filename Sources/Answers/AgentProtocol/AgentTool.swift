internal import HistoryQueries
internal import MessageModel

/// A tool for agents. It asks a question listed in docs/json.md; the question's keys are the tool's
/// arguments.
struct AgentTool: Sendable {
  let name: String
  /// The name for people.
  let title: String
  /// The description for the model.
  let description: String
  let schema: JSONSchema
  /// The key of the list in an answer; `nil` if the answer is not a list.
  let list: String?
  /// Whether a call may limit the size of the answer.
  let isPortioned: Bool
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

struct ListedTool: Encodable {
  let name: String
  let title: String
  let description: String
  let inputSchema: JSONSchema
  /// The schema of structured values; `nil` if there are none, or if the answer is not a list.
  let outputSchema: AnswerSchema?
  let annotations = Annotations()

  struct Annotations: Encodable {
    let readOnlyHint = true
    let openWorldHint = false

    private enum CodingKeys: CodingKey { case readOnlyHint, openWorldHint }
  }

  /// - Parameter isStructured: Whether answers also have structured values.
  init(_ tool: AgentTool, isStructured: Bool) {
    (name, title, description, inputSchema) = (tool.name, tool.title, tool.description, tool.schema)
    outputSchema = isStructured ? tool.list.map(AnswerSchema.init) : nil
  }

  private enum CodingKeys: CodingKey { case name, title, description, inputSchema, outputSchema, annotations }
}

/// The JSON Schema of a list answer. docs/json.md and docs/agents.md describe the elements; the server's
/// instructions explain how to continue.
struct AnswerSchema: Encodable {
  let list: String

  private enum CodingKeys: CodingKey { case type, required }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("object", forKey: .type)
    try container.encode(["answer", list], forKey: .required)
  }
}

/// The arguments of a tool as JSON Schema (<https://json-schema.org/draft/2020-12/schema>). The schema allows
/// unknown keys; a call that has one fails with an error that lists the known keys.
indirect enum JSONSchema: Encodable, Sendable {
  case text(String)
  case integer(String, from: Int)
  case number(String)
  case flag(String)
  case word(String, of: [String])
  case list(String, of: JSONSchema)
  case either(String, [JSONSchema])
  /// A name, or an id as a number.
  case name(String)
  /// A key that another tool describes: the description refers to that tool.
  case asIn(String, JSONSchema)
  case object(String, Properties, needed: [String] = [], takesOneKey: Bool = false)

  typealias Properties = [(name: String, schema: JSONSchema)]

  /// The names of an object's keys, in order; empty for anything else.
  var keys: [String] { properties.map(\.name) }

  /// The keys of an object; for alternatives, those of all objects among them.
  var properties: Properties {
    switch self {
    case .object(_, let properties, _, _): properties
    case .either(_, let forms): forms.flatMap(\.properties)
    case .asIn(_, let schema): schema.properties
    case .text, .integer, .number, .flag, .word, .list, .name: []
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NamedKey.self)
    func put(_ name: String, _ value: some Encodable) throws {
      try container.encode(value, forKey: NamedKey(name))
    }
    switch self {
    case .text(let description): try describe("string", description)
    case .integer(let description, let least):
      try describe("integer", description)
      try put("minimum", least)
    case .number(let description): try describe("number", description)
    case .flag(let description): try describe("boolean", description)
    case .word(let description, let words):
      try describe("string", description)
      try put("enum", words)
    case .list(let description, let element):
      try describe("array", description)
      try put("items", element)
    case .either(let description, let forms):
      try describe(nil, description)
      try put("anyOf", forms)
    case .name(let description):
      try describe(nil, description)
      try put("type", ["string", "integer"])
    case .asIn(let tool, _):
      try describe(nil, "As in \(tool).")
    case .object(let description, let properties, let needed, let takesOneKey):
      try describe("object", description)
      try put("properties", Named(properties: properties))
      if !needed.isEmpty { try put("required", needed) }
      if takesOneKey {
        try put("minProperties", 1)
        try put("maxProperties", 1)
      }
    }
    func describe(_ type: String?, _ description: String) throws {
      if let type { try put("type", type) }
      if !description.isEmpty { try put("description", description) }
    }
  }

  private struct Named: Encodable {
    let properties: Properties

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NamedKey.self)
      for (name, schema) in properties { try container.encode(schema, forKey: NamedKey(name)) }
    }
  }
}
