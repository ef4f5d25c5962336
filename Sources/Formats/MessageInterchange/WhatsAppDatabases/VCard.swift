internal import MessageModel

/// A contact card (<https://www.rfc-editor.org/rfc/rfc6350>).
enum VCard {
  static func attach(_ card: String, to message: inout RichMessage) {
    let lines = card.prefix(1 << 16).split(whereSeparator: \.isNewline)
    func values(_ property: String) -> [String] {
      lines.compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        // `item1.TEL;type=CELL:+49 1511`
        let name = line[..<colon].prefix { $0 != ";" }.split(separator: ".").last ?? ""
        return name == property ? String(line[line.index(after: colon)...]) : nil
      }
    }
    let name = values("FN").first ?? "contact"
    let words = ([name] + values("TEL").prefix(8)).joined(separator: " ")
    message.text += message.text.isEmpty ? words : "\n" + words
    let place = message.details.attachments.count
    message.details.contents[place] = Array(card.utf8)
    message.details.attachments.append(
      Message.Attachment(
        name: name.replacing("/", with: "_") + ".vcf", mediaType: "text/vcard", byteCount: card.utf8.count))
  }
}
