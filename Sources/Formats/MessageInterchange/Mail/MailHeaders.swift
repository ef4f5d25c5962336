/// The header fields of a mail or of a part (<https://www.rfc-editor.org/rfc/rfc5322>).
struct MailHeaders {
  private var fields: [(name: String, value: [UInt8])] = []
  private(set) var byteCount = 0

  init(_ message: Bytes) {
    var start = 0
    while start < message.count {
      let end = message.position(of: 0x0A, from: start) ?? message.count
      var line = Bytes(rebasing: message[start..<end])
      if line.last == 0x0D { line = line.first(line.count - 1) }
      start = min(end + 1, message.count)
      if line.isEmpty { break }
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
