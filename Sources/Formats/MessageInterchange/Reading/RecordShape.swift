internal import MessageModel

/// The shape of a record, without its contents: what a report may show of messages that were not understood.
///
/// JSON is shown by its keys and the types of its values: `{poll: {options: [{text: string}]}, type: string}`.
/// A key that may be data is `*`: an id, a name, or a key of an object that maps such ones. Any other record
/// is shown by the signs at its beginning, where letters are `a` and digits `9`: `[99:99] <a> a`.
package struct RecordShape: Hashable, Sendable {
  /// The shape in one line of visible ASCII.
  package let text: String

  /// - Parameters:
  ///   - record: The record as in its file; the end may be missing.
  ///   - names: Names of people in lowercase, which are no keys.
  /// - Complexity: O(bytes).
  package init(of record: [UInt8], hiding names: Set<String> = []) {
    guard JSONAbridgement.fits(record) else {
      text = Self.signs(of: record)
      return
    }
    var outline = JSONOutline(names: names)
    text = record.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      return outline.value(of: &scanner)
    }
  }

  private static let longestLine = 1_024
  private static let mostSigns = 40
  private static let longestNumber = 4

  private static func signs(of record: [UInt8]) -> String {
    let lines = record.prefix(longestLine).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    let line = lines.first { $0.contains { $0 > 0x20 } } ?? []
    var signs = ""
    var digitCount = 0
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
      let sign = sign(of: scalar)
      digitCount = sign == "9" ? digitCount + 1 : 0
      if sign == "9" ? digitCount > longestNumber : sign == signs.last && "a? ".contains(sign) { continue }
      signs.append(sign)
      if signs.utf8.count == mostSigns { break }
    }
    return signs
  }

  private static func sign(of scalar: Unicode.Scalar) -> Character {
    if scalar.properties.isAlphabetic { return "a" }
    if scalar.properties.numericType != nil { return "9" }
    if scalar.properties.isWhitespace { return " " }
    return scalar.isASCII && "[](){}<>:;,.-/|=\"'#*+_".unicodeScalars.contains(scalar)
      ? Character(scalar) : "?"
  }
}

/// Writes the keys and types of JSON, in bounded text.
private struct JSONOutline {
  let names: Set<String>
  /// Whether the JSON ended, or was none any more.
  private var isCut = false
  private var depth = 0

  private static let deepest = 8
  private static let mostKeys = 128
  private static let mostElements = 1_024
  private static let longest = 1_000

  init(names: Set<String>) { self.names = names }

  mutating func value(of scanner: inout JSONScanner) -> String {
    do throws(JSONError) {
      switch try scanner.kind() {
      case .string:
        isCut = (try? scanner.string()) == nil
        return "string"
      case .number:
        _ = try scanner.word()
        return "number"
      case .literal: return Self.type(of: try scanner.word())
      case .object: return try nested(&scanner, isList: false)
      case .array: return try nested(&scanner, isList: true)
      }
    } catch {
      isCut = true
      return "…"
    }
  }

  private mutating func nested(_ scanner: inout JSONScanner, isList: Bool) throws(JSONError) -> String {
    let short = isList ? "[…]" : "{…}"
    guard depth < Self.deepest else {
      try scanner.value()
      return short
    }
    depth += 1
    defer { depth -= 1 }
    let outline = isList ? array(&scanner) : object(&scanner)
    return outline.utf8.count > Self.longest ? short : outline
  }

  private static func type(of word: Bytes) -> String {
    if word.elementsEqual("null".utf8) { return "null" }
    return word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) ? "boolean" : "word"
  }

  private mutating func nested(
    _ short: String, _ scanner: inout JSONScanner,
    _ body: (inout JSONOutline, inout JSONScanner) throws(JSONError) -> String
  ) throws(JSONError) -> String {
    guard depth < Self.deepest else {
      try scanner.value()
      return short
    }
    depth += 1
    defer { depth -= 1 }
    let outline = try body(&self, &scanner)
    return outline.utf8.count > Self.longest ? short : outline
  }

  private mutating func array(_ scanner: inout JSONScanner) -> String {
    var types: Set<String> = []
    var count = 0
    do throws(JSONError) {
      try scanner.array { scanner throws(JSONError) in
        count += 1
        if count > Self.mostElements { try scanner.value() } else { types.insert(value(of: &scanner)) }
        if isCut { throw .cut }
      }
    } catch {
      isCut = true
    }
    return "[\((types.sorted().joined(separator: " | ")))]"
  }

  private mutating func object(_ scanner: inout JSONScanner) -> String {
    var pairs: [(key: String, type: String)] = []
    var isLong = false
    do throws(JSONError) {
      try scanner.object { scanner, key throws(JSONError) in
        isLong = pairs.count == Self.mostKeys
        if isLong { try scanner.value() } else { pairs.append((Self.name(key), value(of: &scanner))) }
        if isCut { throw .cut }
      }
    } catch {
      isCut = true
    }
    let isMap = isLong || Self.isMap(pairs)
    let fields = Set(pairs.map { "\(isMap || hides($0.key) ? "*" : $0.key): \($0.type)" })
    return "{\((fields.sorted() + (isCut ? ["…"] : [])).joined(separator: ", "))}"
  }

  /// A key that has the form of a name in a program; else an empty string.
  private static func name(_ key: JSONScanner.RawString) -> String {
    let bytes = key.bytes
    guard let first = bytes.first, bytes.count <= 40,
      first == UInt8(ascii: "$") || isLetter(first) || first == 0x5F,
      bytes.dropFirst().allSatisfy({ isLetter($0) || isDigit($0) || "_-.".utf8.contains($0) })
    else { return "" }
    let name = bytes.string
    let numbers = bytes.split(whereSeparator: { !isDigit($0) })
    let hasDomain = ["m.", "org.", "com.", "io.", "net.", "im."].contains { name.hasPrefix($0) }
    return numbers.count < 2 && (numbers.first?.count ?? 0) <= 4 && (hasDomain || !name.contains("."))
      ? name : ""
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Whether a key may be a person's name, or data of another kind.
  private func hides(_ key: String) -> Bool {
    let words = Self.words(of: key)
    let others = words.filter { !Self.usual.contains($0) }
    if !words.isEmpty, others.isEmpty { return false }
    if names.contains(key.lowercased()) || others.contains(where: names.contains) { return true }
    if others.count < words.count { return false }
    return key.utf8.first.map { $0 &- 0x41 < 26 } ?? true
  }

  /// Whether an object's keys are data: all values are alike, and no key is one that records have.
  private static func isMap(_ pairs: [(key: String, type: String)]) -> Bool {
    guard let type = pairs.first?.type, pairs.count > 1, pairs.allSatisfy({ $0.type == type }) else {
      return false
    }
    let isNested = type.hasPrefix("{") || type.hasPrefix("[")
    guard isNested || pairs.count > 2 else { return false }
    return !pairs.contains { words(of: $0.key).contains(where: usual.contains) }
  }

  /// The words of `sender_name` and `senderName`, in lowercase.
  private static func words(of key: String) -> [String] {
    var words: [String] = [""]
    var wasUppercase = true
    for character in key {
      let isUppercase = character.isUppercase
      if !character.isLetter || isUppercase && !wasUppercase { words.append("") }
      if character.isLetter { words[words.count - 1].append(contentsOf: character.lowercased()) }
      wasUppercase = isUppercase
    }
    return words.filter { !$0.isEmpty }
  }

  /// Words in keys of records.
  private static let usual: Set<String> = [
    "action", "album", "animated", "app", "args", "arguments", "attachment", "attachments", "audio", "author",
    "body",
    "bot", "call", "caption", "card", "channel", "chat", "color", "content", "contents", "conversation",
    "count",
    "created", "data", "date", "deleted", "description", "direction", "display", "duration", "edited",
    "embed",
    "embeds", "emoji", "end", "event", "extra", "file", "filename", "files", "flags", "footer", "format",
    "forward",
    "from", "group", "hash", "height", "icon", "id", "ids", "image", "images", "index", "info", "input", "is",
    "items",
    "key", "kind", "label", "language", "lat", "latitude", "length", "level", "link", "location", "lon",
    "longitude",
    "media", "member", "members", "message", "messages", "meta", "metadata", "method", "mime", "mode",
    "model", "ms",
    "name", "number", "object", "offset", "options", "original", "output", "owner", "parent", "part", "parts",
    "path",
    "payload", "photo", "photos", "place", "poll", "position", "preview", "properties", "question", "quote",
    "reaction", "reactions", "read", "reason", "reply", "result", "results", "role", "room", "score",
    "sender", "sent",
    "service", "session", "share", "size", "source", "start", "state", "status", "sticker", "subject",
    "subtype",
    "summary", "system", "target", "text", "thread", "thumbnail", "time", "timestamp", "title", "to", "token",
    "tokens",
    "tool", "topic", "total", "ts", "type", "unit", "updated", "uri", "url", "usage", "user", "username",
    "users",
    "uuid", "value", "values", "version", "video", "videos", "visible", "voice", "vote", "votes", "width",
    "x", "y",
  ]
}
