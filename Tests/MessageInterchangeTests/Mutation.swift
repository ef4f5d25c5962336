import MessageSourceTesting

/// One change to the bytes of a file, of those that another version of a platform's export might have.
struct Mutation: CustomStringConvertible {
  /// What is done to a key, an attribute, a cell or a line.
  enum Kind: CaseIterable {
    case dropped, renamed, nulled, emptied
  }

  let kind: Kind
  /// The name of the key, or the beginning of the line.
  let name: String
  let range: Range<Int>
  var replacement: [UInt8] = []
  /// Whether what is gone held whole records or said that something is one: none of them can be named then.
  var mayTakeRecords = false

  var description: String { "\(kind) \(name) at \(range)" }

  func apply(to bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + replacement + bytes[range.upperBound...]
  }

  /// Every mutation of a file, by the syntax that its name says. Databases, archives and UTF-16 have none.
  static func all(of bytes: [UInt8], named name: String) -> [Mutation] {
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return [] }
    let ending = name.split(separator: ".").last ?? ""
    switch ending {
    case "json", "jsonl", "js", "host": return JSONMutations(bytes).all
    case "html", "xml", "chatlog", "xchatlog": return TagMutations(bytes).all
    case "csv": return cells(of: bytes, separator: separator(of: bytes)) + lines(of: bytes)
    case "tsv": return cells(of: bytes, separator: UInt8(ascii: "\t")) + lines(of: bytes)
    case "gz": return []
    case _ where bytes.starts(with: Array("SQLite format 3".utf8)): return []
    case _: return lines(of: bytes) + words(of: bytes)
    }
  }

  // MARK: Lines, words and cells

  private static func lines(of bytes: [UInt8]) -> [Mutation] {
    pieces(of: bytes) { $0 == 0x0A }.filter { !$0.isEmpty }.flatMap { range in
      let name = String(decoding: bytes[range].prefix(40), as: UTF8.self)
      return [
        Mutation(kind: .emptied, name: name, range: range, mayTakeRecords: true),
        Mutation(
          kind: .dropped, name: name, range: range.lowerBound..<min(range.upperBound + 1, bytes.count),
          mayTakeRecords: true),
      ]
    }
  }

  private static func words(of bytes: [UInt8]) -> [Mutation] {
    pieces(of: bytes) { $0 == 0x0A || $0 == 0x20 || $0 == 0x09 }.filter { !$0.isEmpty }.map { range in
      Mutation(
        kind: .emptied, name: String(decoding: bytes[range], as: UTF8.self), range: range,
        mayTakeRecords: true)
    }
  }

  private static func separator(of bytes: [UInt8]) -> UInt8 {
    bytes.first { [UInt8(ascii: ","), UInt8(ascii: ";"), 0x0A].contains($0) } ?? UInt8(ascii: ",")
  }

  private static func cells(of bytes: [UInt8], separator: UInt8) -> [Mutation] {
    var isQuoted = false
    return pieces(of: bytes) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return !isQuoted && (byte == separator || byte == 0x0A)
    }.filter { !$0.isEmpty && !bytes[$0].contains(0x0A) }.map { range in
      Mutation(
        kind: .emptied, name: String(decoding: bytes[range], as: UTF8.self), range: range,
        mayTakeRecords: range.lowerBound < (bytes.firstIndex(of: 0x0A) ?? 0))
    }
  }

  private static func pieces(of bytes: [UInt8], isEnd: (UInt8) -> Bool) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    for index in bytes.indices where isEnd(bytes[index]) {
      pieces.append(start..<index)
      start = index + 1
    }
    return pieces + [start..<bytes.count]
  }
}

/// The keys and strings of JSON, also of one value behind the other and behind a script's assignment.
private struct JSONMutations {
  private let bytes: [UInt8]
  private(set) var all: [Mutation] = []
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while index < bytes.count {
      if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[index]) { _ = value() } else { index += 1 }
    }
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() { while let byte, byte <= 0x20 { index += 1 } }

  /// Reads a value, and returns whether it holds objects.
  private mutating func value() -> Bool {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"):
      object()
      return true
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""):
      let range = string()
      if range.count > 2 {
        all.append(
          Mutation(
            kind: .emptied, name: name(range), range: range.lowerBound + 1..<range.upperBound - 1))
      }
      return false
    case _:
      while let byte, byte > 0x20, !",]}".utf8.contains(byte) { index += 1 }
      return false
    }
  }

  private mutating func string() -> Range<Int> {
    let start = index
    index += 1
    while let byte, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
    index = min(index + 1, bytes.count)
    return start..<index
  }

  private mutating func array() -> Bool {
    index += 1
    var hasObjects = false
    while let byte {
      if byte == UInt8(ascii: "]") {
        index += 1
        return hasObjects
      }
      if byte <= 0x20 || byte == UInt8(ascii: ",") {
        index += 1
      } else if value() {
        hasObjects = true
      }
    }
    return hasObjects
  }

  private mutating func object() {
    index += 1
    var comma: Int?
    while let byte {
      if byte == UInt8(ascii: "}") {
        index += 1
        return
      }
      guard byte == UInt8(ascii: "\"") else {
        if byte == UInt8(ascii: ",") { comma = index }
        index += 1
        continue
      }
      member(after: comma)
    }
  }

  private mutating func member(after comma: Int?) {
    let key = string()
    skipSpace()
    guard byte == UInt8(ascii: ":") else { return }
    index += 1
    skipSpace()
    let start = index
    let hasObjects = value()
    let end = index
    skipSpace()
    let follows = byte == UInt8(ascii: ",")
    let whole = follows ? key.lowerBound..<index + 1 : (comma ?? key.lowerBound)..<end
    let name = name(key)
    all += [
      Mutation(kind: .dropped, name: name, range: whole, mayTakeRecords: hasObjects),
      Mutation(
        kind: .renamed, name: name, range: key.upperBound - 1..<key.upperBound - 1, replacement: [0x78],
        mayTakeRecords: hasObjects),
      Mutation(
        kind: .nulled, name: name, range: start..<end, replacement: Array("null".utf8),
        mayTakeRecords: hasObjects),
    ]
    index = end
  }

  private func name(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(60), as: UTF8.self)
  }
}

/// The elements, attributes and texts of HTML and XML.
private struct TagMutations {
  private let bytes: [UInt8]
  private(set) var all: [Mutation] = []
  private var open: [(name: String, start: Int)] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      text(index..<start)
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return }
      tag(start..<end + 1)
      index = end + 1
    }
  }

  private mutating func text(_ range: Range<Int>) {
    guard bytes[range].contains(where: { $0 > 0x20 }) else { return }
    all.append(
      Mutation(
        kind: .emptied, name: String(decoding: bytes[range].prefix(60), as: UTF8.self), range: range,
        mayTakeRecords: true))
  }

  private mutating func tag(_ range: Range<Int>) {
    let inner = bytes[range].dropFirst().dropLast()
    if inner.first == UInt8(ascii: "/") {
      return close(String(decoding: inner.dropFirst(), as: UTF8.self), range)
    }
    attributes(range)
    let name = String(decoding: inner.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
    if inner.last == UInt8(ascii: "/") {
      all.append(Mutation(kind: .dropped, name: name, range: range, mayTakeRecords: true))
    } else {
      open.append((name, range.lowerBound))
    }
  }

  private mutating func close(_ name: String, _ range: Range<Int>) {
    guard let place = open.lastIndex(where: { $0.name == name }) else { return }
    all.append(
      Mutation(
        kind: .dropped, name: name, range: open[place].start..<range.upperBound, mayTakeRecords: true))
    open.removeSubrange(place...)
  }

  private mutating func attributes(_ range: Range<Int>) {
    var index = range.lowerBound
    while let equals = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "=")) {
      let quote = bytes[equals + 1]
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      let start = isQuoted ? equals + 2 : equals + 1
      let rest = bytes[start..<range.upperBound]
      let end =
        rest.firstIndex { isQuoted ? $0 == quote : $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? rest.endIndex
      let first = (bytes[index..<equals].lastIndex { $0 <= 0x20 } ?? equals - 1) + 1
      let name = String(decoding: bytes[first..<equals], as: UTF8.self)
      let mayTakeRecords = name == "class" || name == "id"
      all += [
        Mutation(kind: .emptied, name: name, range: start..<end, mayTakeRecords: mayTakeRecords),
        Mutation(
          kind: .dropped, name: name, range: first..<min(isQuoted ? end + 1 : end, range.upperBound - 1),
          mayTakeRecords: mayTakeRecords),
      ]
      index = min(end + 1, range.upperBound)
    }
  }
}
