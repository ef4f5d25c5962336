internal import Foundation

/// A person of an address book: the names, numbers and addresses of a vCard.
public struct ContactCard: Hashable, Sendable {
  /// The line on which it begins, from 1.
  public var line: Int
  /// The name as it is shown: `FN`, else the parts of `N`, else the organisation.
  public var name: String
  /// Telephone numbers, mail addresses and addresses of messengers, as they stand there, without their schemes.
  public var contacts: [String]
}

/// A vCard that could not be read.
public struct ContactCardProblem: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The fault: `no END:VCARD`.
  public var reason: String

  /// Creates a problem.
  public init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
}

/// Reads vCards of the versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), one after the other, at bounded memory.
///
/// Lines may be folded, in groups (`item1.TEL`), and in quoted-printable with lines that go on. What is no name, number or
/// address, pictures above all, is passed over.
public struct ContactCardReader {
  /// The next thing in the file.
  public enum Next {
    /// A card that was read.
    case card(ContactCard)
    /// A card that is passed over.
    case problem(ContactCardProblem)
    /// The end of the file.
    case end
  }

  private var lines: UnfoldedLines

  /// Opens a file.
  ///
  /// - Throws: ``InterchangeError`` if it cannot be read.
  public init(path: String) throws(InterchangeError) {
    lines = UnfoldedLines(ByteSource(try FileProducer(path: path)))
  }

  /// Reads cards from a source of bytes.
  init(_ source: ByteSource) { lines = UnfoldedLines(source) }

  /// The most numbers and addresses of a card.
  private static let contactLimit = 1_000

  /// Reads the next card.
  ///
  /// - Throws: ``InterchangeError`` if the file cannot be read any further.
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

  /// Goes to the next card.
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

/// The lines of a file of vCards, each whole: one that begins with a space goes on from the one before.
private struct UnfoldedLines {
  private var reader: LineReader
  /// The line that was read ahead, with its number.
  private var ahead: (number: Int, bytes: [UInt8])?
  private var last: (number: Int, bytes: [UInt8])?
  private var isPutBack = false

  /// The most bytes of a line that are kept: pictures are passed over.
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
      // A mark of UTF-8 begins many files that Windows wrote.
      let mark = reader.number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return (reader.number, Array(bytes.dropFirst(mark).prefix(Self.byteLimit)))
    case .overlong(let start): return (reader.number, start)
    case .end: return nil
    }
  }
}

/// A line of a vCard: a name, parameters and a value.
private struct ContactCardLine {
  /// The name in capitals, without its group.
  let name: String
  /// The value, decoded, with its escapes.
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

  /// The colon behind the parameters, of which some stand in quotes.
  private static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return place }
    }
    return bytes.firstIndex(of: UInt8(ascii: ":"))
  }

  var isBegin: Bool { name == "BEGIN" && value.uppercased().hasPrefix("VCARD") }

  /// The value as one text.
  var text: String { Self.trimmed(Self.unescaped(value[...])) }

  /// The parts of the value, which stand between semicolons.
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

  /// The name that `N` says: family; given; further; before; after.
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

  /// Returns a text on one line, with one space where there were several or what controls a terminal.
  private static func trimmed(_ text: String) -> String {
    text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
      .joined(separator: " ")
  }
}
