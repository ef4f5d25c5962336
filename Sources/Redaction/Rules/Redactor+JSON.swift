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
    var places = JSONPlaces()
    while let part = walk.next() {
      switch part {
      case .sign(let byte):
        places.pass(byte)
        result.append(byte)
      case .key(let key, let bytes):
        if key == "textBytes", !isWhole, let text = places.text { cut(text, in: &result) }
        places.pass(key: key)
        result += bytes
      case .string(let string):
        let start = result.count
        JSONText.write(value(string, of: places.key), to: &result)
        if places.key == "text" { places.text = start..<result.count }
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
      case .string(var string):
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
    /// A value.
    case string(String)
  }

  private let bytes: [UInt8]
  private var place = 0

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
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return .string(string) }
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

/// The place of a walk in JSON: which key a value belongs to, and which text the facts around it are about.
private struct JSONPlaces {
  /// An object or a list that is open.
  private struct Open {
    /// The key that what is in it belongs to: of an object the last one, of a list its own.
    var key: String
    /// The number of what is next in a list; `nil` in an object.
    var index: Int?
    /// Whether it is a message as a list: a time, a sender, a text.
    var isLine = false
    /// The range of its text.
    var text: Range<Int>?
  }

  private var open: [Open] = []

  /// The keys of lists of messages that are lists themselves, and of a single one.
  private static let lists: Set<String> = ["messages", "before", "after"]
  private static let single = "hit"
  /// The keys that the parts of a message that is a list would have in an object.
  private static let parts = ["time", "sender", "text"]

  /// The key that a value here belongs to.
  var key: String {
    guard let last = open.last else { return "" }
    guard last.isLine, let index = last.index else { return last.key }
    return index < Self.parts.count ? Self.parts[index] : ""
  }

  /// The range of the text of the object or the message that this is in; an object within a message is about its text.
  var text: Range<Int>? {
    get { open.last?.text ?? (open.dropLast().last?.isLine == true ? open.dropLast().last?.text : nil) }
    set { if !open.isEmpty { open[open.count - 1].text = newValue } }
  }

  mutating func pass(key: String) { if !open.isEmpty { open[open.count - 1].key = key } }

  /// Passes a byte that stands outside of strings.
  mutating func pass(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): open.append(Open(key: ""))
    case UInt8(ascii: "["):
      let within = open.last
      let isOfList = within?.index != nil && within?.isLine == false && Self.lists.contains(key)
      open.append(
        Open(key: key, index: 0, isLine: isOfList || within?.index == nil && key == Self.single))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
    case UInt8(ascii: ","): if let index = open.last?.index { open[open.count - 1].index = index + 1 }
    case _: break
    }
  }
}
