internal import Foundation
internal import HistoryQueries
internal import MessageModel

/// The parameters of an address. Unknown ones are refused: if they were ignored, another question would be
/// answered.
struct QuestionParameters {
  private var values: [String: [String]] = [:]
  /// The names that the question asked for, in order.
  private(set) var known: [String] = []

  private static let maxCount = 2_000

  /// Parses the part behind the `?`: `name=value` and so on, as forms send it.
  init(query: Substring) throws(StoreError) {
    let parts = query.utf8.split(separator: UInt8(ascii: "&"))
    guard parts.count <= Self.maxCount else {
      throw Self.error("it has more than \(Self.maxCount) parameters")
    }
    for part in parts {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      values[try Self.decoded(name), default: []].append(try Self.decoded(part.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ bytes: Substring.UTF8View) throws(StoreError) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") || $0 == 0 }) else {
      return String(Substring(bytes))
    }
    let spaced = Substring(bytes).replacing("+", with: " ")
    guard let plain = spaced.removingPercentEncoding else { throw error("an escape (%) in it is wrong") }
    guard !plain.utf8.contains(0) else { throw error("a zero byte is in it") }
    return plain
  }

  static func error(_ cause: String, remedy: Remedy? = nil) -> StoreError {
    StoreError(
      .invalidRequest, "cannot read the question", cause: cause, remedy: remedy ?? "docs/json.md lists all")
  }

  /// Refuses parameters that the question did not ask for.
  func checkAllKnown() throws(StoreError) {
    guard let other = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let names = known.isEmpty ? "it has none" : known.joined(separator: ", ")
    throw Self.error("'\(VisibleText.of(other))' is not one of its parameters", remedy: .words(names))
  }

  mutating func texts(_ name: String) -> [String]? {
    known.append(name)
    return values[name]
  }

  mutating func text(_ name: String) throws(StoreError) -> String? {
    guard let all = texts(name) else { return nil }
    guard all.count == 1 else { throw Self.error("'\(name)' is given more than once") }
    return all.first
  }

  mutating func number<Number: FixedWidthInteger>(
    _ name: String, as type: Number.Type = Int.self
  ) throws(StoreError) -> Number? {
    guard let text = try text(name) else { return nil }
    guard let number = Number(text) else {
      throw Self.error("'\(name)' is not a whole number, or is too large")
    }
    return number
  }

  mutating func flag(_ name: String) throws(StoreError) -> Bool? {
    guard let text = try text(name) else { return nil }
    guard let flag = Bool(text) else { throw Self.error("'\(name)' is 'true' or 'false'") }
    return flag
  }

  mutating func id(_ name: String) throws(StoreError) -> Message.ID? {
    guard let text = try text(name) else { return nil }
    return try Self.id(text, name)
  }

  static func id(_ text: some StringProtocol, _ name: String) throws(StoreError) -> Message.ID {
    guard let id = Message.ID(String(text)) else { throw error("'\(name)': the id of a message is a number") }
    return id
  }

  /// Reads a value that is a string in JSON.
  mutating func word<Word: Decodable>(_ name: String, as type: Word.Type) throws(StoreError) -> Word? {
    guard let text = try text(name) else { return nil }
    return try Self.word(text, name)
  }

  mutating func words<Word: Decodable>(_ name: String, as type: Word.Type) throws(StoreError) -> [Word]? {
    guard let all = texts(name) else { return nil }
    var words: [Word] = []
    for text in all { words.append(try Self.word(text, name)) }
    return words
  }

  static func word<Word: Decodable>(_ text: String, _ name: String) throws(StoreError) -> Word {
    try value(quoted(text, name), name)
  }

  static func quoted(_ text: String, _ name: String) throws(StoreError) -> String {
    do {
      return String(decoding: try AnswerEncoder.bytes(of: text), as: UTF8.self)
    } catch {
      throw Self.error("'\(name)' is not understood")
    }
  }

  mutating func object<Value: Decodable>(_ name: String, as type: Value.Type) throws(StoreError) -> Value? {
    guard let text = try text(name) else { return nil }
    return try Self.value(text, name)
  }

  static func value<Value: Decodable>(_ json: String, _ name: String) throws(StoreError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    } catch let error as DecodingError {
      throw Self.error("'\(name)': \(AnyHistoryQuestion.cause(of: error))")
    } catch {
      throw Self.error("'\(name)' is not JSON")
    }
  }
}

extension QuestionParameters {
  /// Reads the value of a key in the form that addresses use: most are one word, some have a form of their
  /// own.
  mutating func value<Value: Decodable>(_ type: Value.Type, _ name: String) throws(StoreError) -> Value? {
    let value: Any? =
      switch type {
      case is String.Type: try text(name)
      case is Bool.Type: try flag(name)
      case is Int.Type: try number(name, as: Int.self)
      case is Message.ID.Type: try id(name)
      case is PageStart.Type: try place(name)
      case is SenderPlace.Type: try object(name, as: SenderPlace.self)
      case is ConversationReference.Type: try conversation(name)
      case is [ConversationReference].Type: try conversations(name)
      case is [Message.ID].Type: try ids(name)
      case is [String].Type: texts(name)
      case is [Message.Kind].Type: try words(name, as: Message.Kind.self)
      case is [MessagePredicate.Feature].Type: try words(name, as: MessagePredicate.Feature.self)
      default: try word(name, as: type)
      }
    return value as? Value
  }

  /// A conversation by name or id.
  private mutating func conversation(_ key: String) throws(StoreError) -> ConversationReference? {
    let (name, number) = (try text(key), try self.number("conversationID", as: Int64.self))
    switch (name, number) {
    case (nil, nil): return nil
    case (let name?, nil): return .named(name)
    case (nil, let number?): return .id(Conversation.ID(rawValue: number))
    case (.some, .some):
      throw Self.error("one conversation is wanted", remedy: "conversation or conversationID")
    }
  }

  private mutating func conversations(_ key: String) throws(StoreError) -> [ConversationReference]? {
    let named = texts(key)
    let numbered = texts("conversationID")
    guard named != nil || numbered != nil else { return nil }
    var references = (named ?? []).map { ConversationReference.named($0) }
    for text in numbered ?? [] {
      guard let number = Int64(text) else { throw Self.error("'conversationID' is not a number") }
      references.append(.id(Conversation.ID(rawValue: number)))
    }
    return references
  }

  /// A place: a word, or a key and its value with a colon between them.
  private mutating func place(_ key: String) throws(StoreError) -> PageStart? {
    guard let text = try text(key) else { return nil }
    guard let colon = text.firstIndex(of: ":") else { return try Self.word(text, key) }
    let value = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "before": return PageStart(.before(try Self.id(value, key)))
    case "after": return PageStart(.after(try Self.id(value, key)))
    case "around": return PageStart(.around(try Self.id(value, key)))
    case "time": return try Self.value(#"{"time":\#(try Self.quoted(String(value), key))}"#, key)
    case "number":
      guard let number = Int(value) else { throw Self.error("'\(key)': it must be the number of a message") }
      return PageStart(.ordinal(number.adding(-1)))
    case "percent":
      guard let percent = Double(value), percent.isFinite else {
        throw Self.error("'\(key)': it must be a percentage")
      }
      return PageStart(.percent(percent))
    default:
      throw Self.error(
        "'\(key)' is not understood",
        remedy: "newest, oldest, unread, before:ID, after:ID, around:ID, time:TIME, number:N or percent:P")
    }
  }

  private mutating func ids(_ key: String) throws(StoreError) -> [Message.ID]? {
    guard let texts = texts(key) else { return nil }
    var ids: [Message.ID] = []
    for text in texts {
      for part in text.split(separator: ",") { ids.append(try Self.id(part, key)) }
    }
    return ids
  }
}
