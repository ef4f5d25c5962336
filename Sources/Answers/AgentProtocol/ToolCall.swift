internal import Foundation
internal import HistoryQueries
internal import MessageModel

/// A call of a tool: a question, with an agent's limits.
struct ToolCall {
  private(set) var question: any ServedQuestion
  /// The first byte of a message's text to return.
  private(set) var textStart = 0
  private(set) var attachment: AttachmentPlace?
  /// The wanted size of the answer's text in bytes, exceeded only by a single element; `nil` for the limit.
  private(set) var byteCount: Int?
  private(set) var skippedCount = 0

  let then: @Sendable (any ServedAnswer) -> String?

  init(
    _ question: any ServedQuestion, textStart: Int = 0, attachment: AttachmentPlace? = nil,
    then: @escaping @Sendable (any ServedAnswer) -> String? = { _ in nil }
  ) {
    (self.question, self.textStart, self.attachment, self.then) = (question, textStart, attachment, then)
  }

  /// Throws `invalidRequest` with the mistake and its place.
  ///
  /// - Parameter line: The request.
  init(_ tool: AgentTool, of line: Data) throws(StoreError) {
    do {
      let arguments = ToolArguments(line: line)
      try Self.checkKeys(tool, arguments)
      self = try tool.call(arguments)
      if tool.isPortioned {
        let portion: Portion? = try arguments.read()
        byteCount = max(portion?.bytes ?? AgentAnswers.usualByteCount, 1)
        skippedCount = max(portion?.skip ?? 0, 0)
      }
    } catch let error as DecodingError {
      throw Self.error(AnyHistoryQuestion.cause(of: error, below: ["params", "arguments"]))
    } catch let error as StoreError {
      throw error
    } catch {
      throw Self.error("it is not JSON")
    }
  }

  /// The arguments beside those of a question.
  private struct Portion: Decodable {
    var bytes: Int?
    var skip: Int?
  }

  /// The keys of an object, and of the objects in it.
  private struct Keys: Decodable {
    let inner: [(name: String, keys: Keys?)]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NamedKey.self)
      inner = container.allKeys.map { ($0.stringValue, try? container.decode(Keys.self, forKey: $0)) }
    }
  }

  /// A misspelt key would be ignored, and another question answered.
  private static func checkKeys(_ tool: AgentTool, _ arguments: ToolArguments) throws {
    if let keys: Keys = try arguments.read() { try check(keys, tool.schema, in: tool.name) }
  }

  private static func check(_ keys: Keys, _ schema: JSONSchema, in place: String) throws(StoreError) {
    let known = schema.properties
    guard !known.isEmpty else { return }
    for (name, inner) in keys.inner.sorted(by: { $0.name < $1.name }) {
      guard let property = known.first(where: { $0.name == name }) else {
        throw error(
          "'\(VisibleText.of(name))' is not a key of \(place)",
          remedy: .words(schema.keys.joined(separator: ", ")))
      }
      if let inner { try check(inner, property.schema, in: name) }
    }
  }

  fileprivate static func error(_ cause: String, remedy: Remedy? = nil) -> StoreError {
    StoreError(.invalidRequest, "cannot read what the tool was given", cause: cause, remedy: remedy)
  }

  /// Asks for fewer than `count` elements, so that they take about a `part` (0 to 1) of the bytes; of a
  /// single hit for less context. `nil` if nothing smaller can be asked for.
  func reduced(from count: Int, to part: Double) -> ToolCall? {
    let limit = max(1, min(count - 1, Int(Double(count) * part)))
    guard let less = count > 1 ? question.limited(to: limit) : question.withLessContext() else { return nil }
    var call = self
    call.question = less
    return call
  }
}

struct ToolArguments {
  let line: Data

  private struct Content<Value: Decodable>: Decodable {
    var arguments: Value?
  }

  /// Returns `nil` if there are none.
  func read<Value: Decodable>() throws -> Value? {
    try JSONDecoder().decode(Parameters<Content<Value>>.self, from: line).params.arguments
  }

  /// - Parameter missing: The reason to give if there are none.
  func read<Value: Decodable>(else missing: String) throws -> Value {
    guard let value: Value = try read() else { throw ToolCall.error(missing) }
    return value
  }
}

/// The answer of a tool: that of docs/json.md, followed by keys that help an agent to continue.
struct ToolAnswer: Encodable {
  private let word: String
  private(set) var answer: any ServedAnswer
  /// The number of all elements, if the answer does not contain it.
  var total: Int?
  /// The ordinal of each hit in its conversation, 1 being the oldest.
  var numbers: [Int]?
  /// Alternatives if nothing was found.
  var suggestions = Suggestions()
  var more: [Continuation] = []
  private(set) var isShortened = false
  var damage: [String] = []
  /// Whether messages are given in full, as docs/json.md describes them.
  var isWhole = false
  var then: String?

  init(_ answer: any ServedAnswer, word: String) { (self.answer, self.word) = (answer, word) }

  private enum CodingKeys: CodingKey {
    case answer, total, numbers, nearest, nothing, more, shortened, damage, then
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(word, forKey: .answer)
    if !isWhole, let answer = answer as? any CompactAnswer {
      try answer.encodeCompact(to: encoder)
    } else {
      try answer.encode(to: encoder)
    }
    try container.encodeIfPresent(total, forKey: .total)
    if let numbers, !numbers.isEmpty { try container.encode(numbers, forKey: .numbers) }
    let nearest = suggestions.nearest
    if !nearest.isEmpty { try container.encode(nearest, forKey: .nearest) }
    try container.encodeIfPresent(suggestions.nothing, forKey: .nothing)
    if !more.isEmpty { try container.encode(more, forKey: .more) }
    if isShortened { try container.encode(true, forKey: .shortened) }
    if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
    let again = nearest.isEmpty ? nil : "the same with one of 'nearest' as 'named', or without 'named'"
    try container.encodeIfPresent(again ?? then, forKey: .then)
  }

  /// The answer without its parts of unlimited size.
  var shortened: ToolAnswer {
    var short = self
    (short.answer, short.isShortened) = (answer.shortened, true)
    return short
  }
}
