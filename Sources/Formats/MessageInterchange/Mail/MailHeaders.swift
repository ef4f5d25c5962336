/// The header fields of a mail or of a part (<https://www.rfc-editor.org/rfc/rfc5322>).
struct MailHeaders {
  private var fields: [(name: String, value: [UInt8])] = []
  private(set) var byteCount = 0
  /// Whether the empty line behind them was reached.
  private(set) var isWhole = false

  init(_ message: Bytes) {
    var start = 0
    while start < message.count {
      let end = message.position(of: 0x0A, from: start) ?? message.count
      var line = Bytes(rebasing: message[start..<end])
      if line.last == 0x0D { line = line.first(line.count - 1) }
      start = min(end + 1, message.count)
      if line.isEmpty {
        isWhole = true
        break
      }
      add(line)
    }
    byteCount = start
  }

  private mutating func add(_ line: Bytes) {
    if line[0] == 0x20 || line[0] == 0x09 {
      guard !fields.isEmpty else { return }
      fields[fields.count - 1].value.append(0x20)
      fields[fields.count - 1].value.append(contentsOf: line.drop { $0 == 0x20 || $0 == 0x09 })
    } else if let colon = line.position(of: UInt8(ascii: ":")) {
      let value = line.dropping(colon + 1).drop { $0 == 0x20 || $0 == 0x09 }
      fields.append((line.first(colon).string.lowercased(), Array(value)))
    }
  }

  static func mayBegin(with line: Bytes) -> Bool {
    guard let colon = line.position(of: UInt8(ascii: ":")), colon > 0 else { return line.has(">From ") }
    return line.first(colon).allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  func raw(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

  /// Decodes encoded words. `name` is lowercase.
  func text(_ name: String, _ fallback: FallbackEncoding) -> String? {
    undecoded(name, fallback).map { MailWords.decoded($0, fallback) }
  }

  func undecoded(_ name: String, _ fallback: FallbackEncoding) -> String? {
    raw(name).map { Charset.string($0, nil, fallback) }
  }

  func all(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
  }
}

/// A field with parameters: `text/plain; charset="utf-8"`.
struct MailParameters {
  let value: String
  private var parameters: [String: String] = [:]

  init(_ field: String) {
    let parts = Self.split(field)
    value = (parts.first ?? "").trimming { $0 == " " || $0 == "\t" }.lowercased()
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = String(part[..<equals]).trimming { $0 == " " || $0 == "\t" }.lowercased()
      parameters[name] = String(part[part.index(after: equals)...]).trimming { " \t\"".contains($0) }
    }
  }

  subscript(name: String) -> String? { parameters[name] }

  private static func split(_ field: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in field {
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }
}

/// A mail's sender (<https://www.rfc-editor.org/rfc/rfc5322>, 3.4): `"Bee, Ann" <a@b>`, `a@b (Ann)`, and
/// spellings of programs that do not quote.
struct MailAddress {
  private(set) var name: String?
  private(set) var address: String?

  /// Encoded words in `field` must not be decoded yet: their content is text, even if it looks like syntax.
  init(_ field: String, _ fallback: FallbackEncoding) {
    var parts = MailAddressParts()
    parts.read(field)
    let phrase = parts.phrase.trimming(Self.isSpace)
    address = parts.address ?? (phrase.contains("@") ? phrase : nil)
    let written = parts.address == nil || phrase.isEmpty ? parts.comment ?? phrase : parts.whole
    name = Self.unquoted(MailWords.decoded(written, fallback))
    takeAddressFromName()
    if address == MailboxExport.noAddress { address = nil }
    if name?.isEmpty != false { name = address }
  }

  /// A comment may be a whole mailbox: `ann at host.example (Ann Bee <ann@host.example>)`.
  private mutating func takeAddressFromName() {
    guard let written = name, written.hasSuffix(">"), let open = written.lastIndex(of: "<") else { return }
    let inner = written[written.index(after: open)...].dropLast()
    guard inner.contains("@") else { return }
    if address == nil { address = String(inner) }
    name = Self.unquoted(String(written[..<open]))
  }

  private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }

  private static func unquoted(_ name: String) -> String {
    (["\"", "'", "\""] as [Character]).reduce(name.trimming(isSpace)) { name, quote in
      let inner = name.trimming { $0 == quote }
      // `"castor" Ros` has quotes within the name.
      return inner.contains(quote) ? name : inner.trimming(isSpace)
    }
  }
}

private struct MailAddressParts {
  private(set) var phrase = ""
  private(set) var whole = ""
  private(set) var comment: String?
  private(set) var address: String?

  mutating func read(_ field: String) {
    var rest = field[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        let next = rest.popFirst()
        add(next.map(String.init) ?? "\\")
      case "\"":
        if let (text, end) = Self.quoted(rest) {
          add(text)
          rest = rest[end...]
        } else {
          add("\"")
        }
      case "(":
        let (text, end) = Self.comment(rest)
        comment = comment ?? text
        if address == nil { whole += "(\(text))" }
        rest = rest[end...]
      case "<" where address == nil:
        let inner = rest.prefix { $0 != ">" }
        address = String(inner)
        rest = rest.dropFirst(inner.count + 1)
      // Commas in a name may lack quotes: `Bee, Ann <a@b>`.
      case "," where address != nil || phrase.contains("@"), ";" where address != nil || phrase.contains("@"):
        rest = ""
      default: add(String(character))
      }
    }
  }

  private mutating func add(_ text: String) {
    guard address == nil else { return }
    phrase += text
    whole += text
  }

  private static func quoted(_ rest: Substring) -> (text: String, end: Substring.Index)? {
    var text = ""
    var position = rest.startIndex
    while position < rest.endIndex {
      let character = rest[position]
      position = rest.index(after: position)
      if character == "\"" { return (text, position) }
      if character == "\\", position < rest.endIndex {
        text.append(rest[position])
        position = rest.index(after: position)
      } else {
        text.append(character)
      }
    }
    return nil
  }

  /// The text up to the closing parenthesis, or else the last one, or the end; comments nest.
  private static func comment(_ rest: Substring) -> (text: String, end: Substring.Index) {
    var text = ""
    var depth = 1
    var position = rest.startIndex
    while position < rest.endIndex {
      let character = rest[position]
      position = rest.index(after: position)
      switch character {
      case "\\" where position < rest.endIndex:
        text.append(rest[position])
        position = rest.index(after: position)
        continue
      case "(": depth += 1
      case ")": depth -= 1
      default: break
      }
      if depth == 0 { return (text, position) }
      text.append(character)
    }
    guard let close = rest.lastIndex(of: ")") else { return (text, rest.endIndex) }
    return (String(rest[..<close]), rest.index(after: close))
  }
}
