internal import Foundation
internal import HistoryQueries
internal import MessageModel

/// The parameters of an address, taken one after the other. What nobody takes is refused: it would be passed over, and the
/// answer would be one to another question.
struct QuestionParameters {
  private var values: [String: [String]] = [:]
  /// The names that were asked for, in order.
  private(set) var known: [String] = []

  private static let maxCount = 2_000

  /// Reads what stands behind the `?` of an address: `name=value` and so on, as forms send it.
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

  /// Refuses what nobody has asked for.
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
    guard all.count == 1 else { throw Self.error("'\(name)' stands there more than once") }
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

  /// Returns a text as a string in JSON.
  static func quoted(_ text: String, _ name: String) throws(StoreError) -> String {
    do {
      return String(decoding: try AnswerEncoder.bytes(of: text), as: UTF8.self)
    } catch {
      throw Self.error("'\(name)' is not understood")
    }
  }

  /// Reads a value that is an object in JSON, and stands so in the address.
  mutating func object<Value: Decodable>(_ name: String, as type: Value.Type) throws(StoreError) -> Value? {
    guard let text = try text(name) else { return nil }
    return try Self.value(text, name)
  }

  /// Reads a value that stands as JSON.
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
