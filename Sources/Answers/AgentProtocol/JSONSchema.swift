/// The arguments of a tool, as JSON Schema says them (<https://json-schema.org/draft/2020-12/schema>). That other keys are refused, the
/// refusal says.
indirect enum JSONSchema: Encodable, Sendable {
  case text(String)
  case integer(String, from: Int)
  case number(String)
  case flag(String)
  case word(String, of: [String])
  case list(String, of: JSONSchema)
  case either(String, [JSONSchema])
  /// A name, or the number of an id.
  case name(String)
  /// What the tool of a name takes under the same key, of which its description is not given again.
  case asIn(String, JSONSchema)
  case object(String, Properties, needed: [String] = [], takesOneKey: Bool = false)

  /// The keys of an object in their order.
  typealias Properties = [(name: String, schema: JSONSchema)]

  /// The names of an object's keys, in their order; of anything else none.
  var keys: [String] { properties.map(\.name) }

  /// The keys of an object, and of the object among several forms.
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
