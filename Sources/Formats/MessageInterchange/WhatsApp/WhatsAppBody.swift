/// The sender and the text in a line of WhatsApp's export, behind the header.
struct WhatsAppBody {
  /// The sender as it stands, perhaps with marks of direction; `nil` for what WhatsApp itself says.
  var sender: Bytes?
  var text: Bytes
  /// The name of the attached file.
  var attachment: String?

  /// Reads what follows a header.
  ///
  /// - Parameter voice: The sender under whose name WhatsApp itself speaks in this file, if it does.
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

  /// Returns the end of the sender: the first `: `, or a `:` that ends the line.
  private static func senderEnd(_ body: Bytes) -> Int? {
    var position = 0
    while let colon = body.position(of: UInt8(ascii: ":"), from: position) {
      if colon + 1 == body.count || body[colon + 1] == 0x20 {
        // `Ann created group "a: b"` is no sender.
        let isInQuotes = body.first(colon).contains(UInt8(ascii: "\""))
        return colon > 0 && colon <= 200 && !isInQuotes ? colon : nil
      }
      position = colon + 1
    }
    return nil
  }

  /// Returns the name under which WhatsApp itself speaks: on iPhones the group, which says the first line.
  static func voice(ofFirst body: Bytes) -> [UInt8]? {
    guard let end = senderEnd(body), hasSystemShape(body.dropping(min(end + 2, body.count))) else {
      return nil
    }
    return Array(body.first(end))
  }

  /// Whether a text begins with a mark of direction and is no attachment, which begin so, too.
  private static func hasSystemShape(_ said: Bytes) -> Bool {
    guard let rest = said.after("\u{200E}") else { return false }
    return !rest.isEmpty && rest[0] != UInt8(ascii: "<") && !rest.string.hasSuffix("omitted")
      && !rest.string.contains("deleted")
  }

  /// Returns the end of a message without the words that say it was edited; `nil` if they are not there.
  ///
  /// They are in the language of the telephone, behind a mark that nobody types: `<This message was edited>`.
  static func withoutEditMark(_ line: Bytes) -> Bytes? {
    guard line.last == UInt8(ascii: ">"),
      let open = line.lastIndex(of: UInt8(ascii: "<")), open > 3, line.has("\u{200E}<", at: open - 3),
      !line[open...].contains(UInt8(ascii: ":"))
    else { return nil }
    let end = line[open - 4] == 0x20 ? open - 4 : open - 3
    return line.first(end)
  }

  /// The file's name in `<attached: name>` or `name (file attached)`.
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
  /// Returns the string without spaces at its ends.
  fileprivate func trimmingSpaces() -> String { String(self).trimming { $0 == " " || $0 == "\u{200E}" } }
}
