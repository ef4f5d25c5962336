internal import Foundation
internal import MessageModel

/// Answers in JSON without what rules name, and questions with what stand-ins stand for.
extension Redactor {
  /// The keys whose values are no texts of people: ids, times, words of the program.
  private static let plainKeys: Set<String> = [
    "id", "firstID", "lastID", "readUpTo", "replyTo", "thread", "time", "first", "last", "kind", "precision",
    "firstPrecision", "lastPrecision", "direction", "sendingState", "platform", "sha256", "type", "edited",
    "starred",
    "pictures", "newest", "oldest", "start", "end", "day", "month", "timeZone", "format",
  ]
  /// The keys whose values are names of senders.
  private static let senderKeys: Set<String> = ["sender", "senders", "lastSender", "who", "people"]
  /// The keys whose values nobody can look through.
  private static let opaqueKeys: Set<String> = ["original", "payload"]
  private static let leftOut = "[left out]"

  /// Returns JSON in which each string is as it may be shown; what is cut off loses the word that the cut goes through, since half a
  /// secret is not known as one.
  ///
  /// - Parameter isWhole: Whether texts have been redacted before they were cut.
  package func json(_ json: [UInt8], isWhole: Bool = false) -> [UInt8] {
    var walk = JSONWalk(json)
    var result: [UInt8] = []
    /// The text of each open object, where it stands in the result.
    var texts: [Range<Int>?] = []
    while let part = walk.next() {
      switch part {
      case .sign(let byte):
        if byte == UInt8(ascii: "{") { texts.append(nil) }
        if byte == UInt8(ascii: "}") { _ = texts.popLast() }
        result.append(byte)
      case .key(let key, let bytes):
        if key == "textBytes", !isWhole, let text = texts.last ?? nil { cut(text, in: &result) }
        result += bytes
      case .string(let string, let key):
        let start = result.count
        JSONText.write(value(string, of: key), to: &result)
        if key == "text", !texts.isEmpty { texts[texts.count - 1] = start..<result.count }
      }
    }
    return result
  }

  private func value(_ string: String, of key: String) -> String {
    if Self.plainKeys.contains(key) { return string }
    if Self.opaqueKeys.contains(key) || key == "senderID" && replacesNames { return Self.leftOut }
    if Self.senderKeys.contains(key) { return sender(string) }
    return Self.withoutCutWords(text(string))
  }

  /// Leaves out the words that a cut goes through, where `…` says that there is one.
  private static func withoutCutWords(_ text: String) -> String {
    var text = text[...]
    if text.hasSuffix("…") { text = withoutLastWord(text.dropLast()) + "…" }
    if text.hasPrefix("…") { text = "…" + text.dropFirst().drop { !$0.isWhitespace } }
    return String(text)
  }

  private static func withoutLastWord(_ text: Substring) -> Substring {
    guard let blank = text.lastIndex(where: \.isWhitespace) else { return "" }
    return text[...blank]
  }

  private func cut(_ range: Range<Int>, in result: inout [UInt8]) {
    let string = JSONWalk.string(result[range])
    var bytes: [UInt8] = []
    JSONText.write(String(Self.withoutLastWord(string[...])), to: &bytes)
    result.replaceSubrange(range, with: bytes)
  }

  /// Returns JSON in whose strings stand-ins are what they stand for, so that somebody may ask for `person 3`.
  package func restored(_ json: [UInt8]) -> [UInt8] {
    let originals = originals
    guard !originals.isEmpty else { return json }
    var walk = JSONWalk(json)
    var result: [UInt8] = []
    while let part = walk.next() {
      switch part {
      case .sign(let byte): result.append(byte)
      case .key(_, let bytes): result += bytes
      case .string(var string, _):
        for (standIn, original) in originals where string.contains(standIn) {
          string = string.replacing(standIn, with: original)
        }
        JSONText.write(string, to: &result)
      }
    }
    return result
  }
}

/// Walks through JSON, a string at a time.
private struct JSONWalk {
  enum Part {
    /// A byte outside of strings.
    case sign(UInt8)
    /// A key, and how it is written.
    case key(String, ArraySlice<UInt8>)
    /// A value, and the key that it, or the list that it is in, belongs to.
    case string(String, of: String)
  }

  private let bytes: [UInt8]
  private var place = 0
  private var key = ""

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Part? {
    guard place < bytes.count else { return nil }
    guard bytes[place] == UInt8(ascii: "\"") else {
      place += 1
      return .sign(bytes[place - 1])
    }
    let start = place
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, bytes.count)
    let whole = bytes[start..<place]
    var next = place
    while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
    let string = Self.string(whole)
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return .string(string, of: key) }
    key = string
    return .key(string, whole)
  }

  /// The value of a string with its quotes.
  static func string(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else {
      return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
    let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    return value as? String ?? ""
  }
}
