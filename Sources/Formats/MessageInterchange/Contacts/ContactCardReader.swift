internal import Foundation

/// A person in an address book: names, numbers and addresses of a vCard.
public struct ContactCard: Hashable, Sendable {
  /// The line at which it begins, from 1.
  public var line: Int
  /// The name to show: `FN`, or else the parts of `N`, or else the organisation.
  public var name: String
  /// Phone numbers, mail addresses and messenger addresses as written, without their schemes.
  public var contacts: [String]
}

/// A vCard that could not be read.
public struct ContactCardProblem: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The reason: `no END:VCARD`.
  public var reason: String

  /// Creates a problem.
  public init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
}

/// Reads vCards of the versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350) one after the other, at bounded
/// memory.
///
/// Lines may be folded, grouped (`item1.TEL`) or quoted-printable over several lines. Other properties, such
/// as pictures, are skipped. A file that cannot be read throws ``InterchangeError``.
public struct ContactCardReader {
  /// A card, a problem, or the end of the file.
  public enum Next {
    /// A card.
    case card(ContactCard)
    /// A card that was skipped.
    case problem(ContactCardProblem)
    /// The end of the file.
    case end
  }

  private var lines: UnfoldedLines

  /// Opens a file.
  public init(path: String) throws(InterchangeError) {
    lines = UnfoldedLines(ByteSource(try FileProducer(path: path)))
  }

  init(_ source: ByteSource) { lines = UnfoldedLines(source) }

  private static let contactLimit = 1_000

  /// Reads the next card.
  public mutating func next() throws(InterchangeError) -> Next {
    while let (number, bytes) = try lines.next() {
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      guard ContactCardLine(bytes)?.isBegin == true else {
        try passOver()
        return .problem(ContactCardProblem(line: number, reason: "no BEGIN:VCARD"))
      }
      return try card(from: number)
    }
    return .end
  }

  private mutating func passOver() throws(InterchangeError) {
    while let (_, bytes) = try lines.next() {
      guard ContactCardLine(bytes)?.isBegin == true else { continue }
      lines.putBack()
      return
    }
  }

  private mutating func card(from start: Int) throws(InterchangeError) -> Next {
    var (shown, parts, organisation) = ("", "", "")
    var contacts: [String] = []
    var problem: ContactCardProblem?
    while let (number, bytes) = try lines.next() {
      guard !bytes.isEmpty else { continue }
      guard let line = ContactCardLine(bytes) else {
        problem = problem ?? ContactCardProblem(line: number, reason: "no colon in the line")
        continue
      }
      if line.isBegin {
        lines.putBack()
        return .problem(problem ?? ContactCardProblem(line: start, reason: "no END:VCARD"))
      }
      switch line.name {
      case "END":
        if let problem { return .problem(problem) }
        let name = [shown, parts, organisation].first { !$0.isEmpty } ?? ""
        guard !name.isEmpty else {
          return .problem(ContactCardProblem(line: start, reason: "no name (FN or N)"))
        }
        return .card(ContactCard(line: start, name: name, contacts: contacts))
      case "FN" where shown.isEmpty: shown = line.text
      case "N" where parts.isEmpty: parts = line.nameParts
      case "ORG" where organisation.isEmpty: organisation = line.components.first ?? ""
      case "TEL", "EMAIL", "IMPP", "X-JABBER", "X-SKYPE", "X-MATRIX":
        let text = line.text
        if !text.isEmpty, contacts.count < Self.contactLimit { contacts.append(text) }
      default: continue
      }
    }
    return .problem(problem ?? ContactCardProblem(line: start, reason: "no END:VCARD"))
  }
}

/// Unfolds lines: one that begins with a space continues the previous one.
private struct UnfoldedLines {
  private var reader: LineReader
  private var ahead: (number: Int, bytes: [UInt8])?
  private var last: (number: Int, bytes: [UInt8])?
  private var isPutBack = false

  private static let byteLimit = 64 << 10

  init(_ source: ByteSource) { reader = LineReader(source, bound: 1 << 20) }

  mutating func putBack() { isPutBack = true }

  mutating func next() throws(InterchangeError) -> (number: Int, bytes: [UInt8])? {
    if isPutBack {
      isPutBack = false
      return last
    }
    var line: (number: Int, bytes: [UInt8])
    if let ahead {
      line = ahead
    } else if let read = try raw() {
      line = read
    } else {
      return nil
    }
    ahead = nil
    let isQuoted = Self.isQuotedPrintable(line.bytes)
    while let following = try raw() {
      if following.bytes.first == 0x20 || following.bytes.first == 0x09 {
        Self.append(following.bytes.dropFirst(), to: &line.bytes)
      } else if isQuoted, line.bytes.last == UInt8(ascii: "=") {
        line.bytes.removeLast()
        Self.append(following.bytes[...], to: &line.bytes)
      } else {
        ahead = following
        break
      }
    }
    last = line
    return line
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
    guard line.count + bytes.count <= byteLimit else { return }
    line += bytes
  }

  private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }.prefix(1_000), as: UTF8.self)
    return head.uppercased().contains("QUOTED-PRINTABLE")
  }

  private mutating func raw() throws(InterchangeError) -> (number: Int, bytes: [UInt8])? {
    switch try reader.next() {
    case .line(let bytes):
      let mark = reader.number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return (reader.number, Array(bytes.dropFirst(mark).prefix(Self.byteLimit)))
    case .overlong(let start): return (reader.number, start)
    case .end: return nil
    }
  }
}

private struct ContactCardLine {
  let name: String
  let value: String

  init?(_ bytes: [UInt8]) {
    guard let colon = Self.colon(in: bytes) else { return nil }
    let head = String(decoding: bytes[..<colon], as: UTF8.self).uppercased()
    let parts = head.split(separator: ";", omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    name = first.split(separator: ".").last.map(String.init) ?? ""
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else { return nil }
    var content = Array(bytes[(colon + 1)...])
    if parts.contains(where: { $0.hasSuffix("QUOTED-PRINTABLE") }) {
      content = TransferEncoding.quotedPrintable(content)
    }
    let charset = parts.first { $0.hasPrefix("CHARSET=") }.map { String($0.dropFirst("CHARSET=".count)) }
    let encoding = charset.flatMap { FallbackEncoding(name: $0) } ?? .windows1252
    value = content.withUnsafeBytes { encoding.string($0) }
  }

  /// The colon after the parameters, which may be quoted.
  private static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return place }
    }
    return bytes.firstIndex(of: UInt8(ascii: ":"))
  }

  var isBegin: Bool { name == "BEGIN" && value.uppercased().hasPrefix("VCARD") }

  var text: String { Self.trimmed(Self.unescaped(value[...])) }

  var components: [String] {
    var parts = [Substring]()
    var (start, isEscaped) = (value.startIndex, false)
    for place in value.indices {
      if value[place] == ";", !isEscaped {
        parts.append(value[start..<place])
        start = value.index(after: place)
      }
      isEscaped = value[place] == "\\" && !isEscaped
    }
    parts.append(value[start...])
    return parts.map { Self.trimmed(Self.unescaped($0)) }
  }

  /// `N` has family, given, further names, prefix and suffix.
  var nameParts: String {
    let parts = components
    let order = [3, 1, 2, 0, 4].filter { $0 < parts.count }.map { parts[$0] }
    return order.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("\\") else { return String(text) }
    var (result, isEscaped) = ("", false)
    for character in text {
      if isEscaped {
        result.append(character == "n" || character == "N" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  /// On one line, with single spaces and no control characters.
  private static func trimmed(_ text: String) -> String {
    text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
      .joined(separator: " ")
  }
}
