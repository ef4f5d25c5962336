struct WhatsAppBody {
  /// As written, possibly with direction marks; `nil` for messages of WhatsApp itself.
  var sender: Bytes?
  var text: Bytes
  var attachment: String?

  init(_ body: Bytes, voice: [UInt8]?) {
    text = body
    guard let end = Self.senderEnd(body) else { return }
    let said = body.dropping(min(end + 2, body.count))
    if let voice, body.first(end).elementsEqual(voice), Self.hasSystemShape(said) {
      text = said.dropping(3)
      return
    }
    sender = body.first(end)
    attachment = Self.attachment(said)
    text = attachment == nil ? said : Bytes(rebasing: said[said.count...])
  }

  /// The first `: `, or a `:` at the end of the line.
  private static func senderEnd(_ body: Bytes) -> Int? {
    var position = 0
    while let colon = body.position(of: UInt8(ascii: ":"), from: position) {
      if colon + 1 == body.count || body[colon + 1] == 0x20 {
        // `Ann created group "a: b"` has no sender.
        let isInQuotes = body.first(colon).contains(UInt8(ascii: "\""))
        return colon > 0 && colon <= 200 && !isInQuotes ? colon : nil
      }
      position = colon + 1
    }
    return nil
  }

  /// The name under which WhatsApp itself speaks: on iPhones that of the group, which the first line has.
  static func voice(ofFirst body: Bytes) -> [UInt8]? {
    guard let end = senderEnd(body), hasSystemShape(body.dropping(min(end + 2, body.count))) else {
      return nil
    }
    return Array(body.first(end))
  }

  /// Begins with a direction mark; attachments do, too, and are excluded.
  private static func hasSystemShape(_ said: Bytes) -> Bool {
    guard let rest = said.after("\u{200E}") else { return false }
    return !rest.isEmpty && rest[0] != UInt8(ascii: "<") && !rest.string.hasSuffix("omitted")
      && !rest.string.contains("deleted")
  }

  /// Removes the note that a message was edited; `nil` without one. It is in the phone's language, after a
  /// direction mark: `<This message was edited>`.
  static func withoutEditMark(_ line: Bytes) -> Bytes? {
    guard line.last == UInt8(ascii: ">"),
      let open = line.lastIndex(of: UInt8(ascii: "<")), open > 3, line.has("\u{200E}<", at: open - 3),
      !line[open...].contains(UInt8(ascii: ":"))
    else { return nil }
    let end = line[open - 4] == 0x20 ? open - 4 : open - 3
    return line.first(end)
  }

  private static func attachment(_ said: Bytes) -> String? {
    let line = (said.after("\u{200E}") ?? said).string
    if line.hasPrefix("<"), line.hasSuffix(">"), let colon = line.firstRange(of: ": ") {
      return String(line[colon.upperBound...].dropLast())
    }
    guard line.hasSuffix(")"), let open = line.lastIndex(of: "("), open > line.startIndex else { return nil }
    let name = line[..<open].trimmingSpaces()
    let note = line[line.index(after: open)...].dropLast()
    let parts = name.split(separator: ".")
    guard parts.count > 1, let suffix = parts.last, (2...4).contains(suffix.count),
      suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), !name.contains("/"),
      !note.isEmpty, note.allSatisfy({ $0.isLetter || $0 == " " }), name.split(separator: " ").count <= 3
    else { return nil }
    return name
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String { String(self).trimming { $0 == " " || $0 == "\u{200E}" } }
}
