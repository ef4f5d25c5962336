internal import MessageModel

/// Names by WhatsApp's addresses: `491511@s.whatsapp.net` is a person's number, `2345@lid` a person with a
/// hidden number, `1203@g.us` a group.
struct WhatsAppPeople {
  let me: String
  private var names: [String: String] = [:]
  private var numbers: [String: String] = [:]

  private static let most = 500_000

  init(me: String) { self.me = me }

  /// The first name learned for an address stays.
  mutating func learn(_ name: String?, of address: String?) {
    guard let address, let name, !name.isEmpty, names.count < Self.most else { return }
    let plain = Self.plain(address)
    if names[plain] == nil { names[plain] = name }
  }

  mutating func learn(number: String?, ofHidden hidden: String?) {
    guard let number, let hidden, numbers.count < Self.most else { return }
    numbers[Self.plain(hidden)] = Self.plain(number)
  }

  /// Copies names of hidden addresses to the known numbers.
  mutating func connect() {
    for (hidden, number) in numbers where names[number] == nil { names[number] = names[hidden] }
  }

  func address(_ written: String) -> String {
    let plain = Self.plain(written)
    return numbers[plain] ?? plain
  }

  func name(of written: String) -> String {
    let plain = Self.plain(written)
    let address = numbers[plain] ?? plain
    if let name = names[address] ?? names[plain] { return name }
    guard address.hasSuffix("@s.whatsapp.net") else {
      return address == "status@broadcast" ? "Status" : address
    }
    return "+" + address.prefix { $0 != "@" }
  }

  static func isDirect(_ address: String) -> Bool? {
    switch address.split(separator: "@").last {
    case "s.whatsapp.net", "lid": true
    case "g.us": false
    default: nil
    }
  }

  /// Replaces numbers in mentions (`@491511`) by names. O(length).
  func withMentions(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "@") {
      result += rest[...sign]
      rest = rest[rest.index(after: sign)...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (6...20).contains(digits.utf8.count), let name = name(ofNumber: digits) else { continue }
      result += name
      rest = rest[digits.endIndex...]
    }
    return result + rest
  }

  private func name(ofNumber digits: Substring) -> String? {
    let hidden = "\(digits)@lid"
    return names["\(digits)@s.whatsapp.net"] ?? numbers[hidden].flatMap { names[$0] } ?? names[hidden]
  }

  /// Without the device: `491511:12@s.whatsapp.net`, `491511.0:3@s.whatsapp.net`.
  private static func plain(_ written: String) -> String {
    guard let at = written.lastIndex(of: "@"), let first = written.first, first.isASCII, first.isNumber,
      let mark = written[..<at].firstIndex(where: { $0 == ":" || $0 == "." })
    else { return written }
    return String(written[..<mark] + written[at...])
  }
}

/// Current keys are long and random, so they are unique everywhere. Older ones are a time and a number,
/// unique only in their chat, as are those of messages to several people at once.
enum WhatsAppID {
  static func id(_ key: String?, in chat: String, isFromMe: Bool, isCopy: Bool) -> String? {
    guard let key, !key.isEmpty else { return nil }
    let isUnique = key.utf8.count >= 16 && !key.utf8.contains(UInt8(ascii: "-")) && !isCopy
    return isUnique ? key : "\(chat)/\(isFromMe ? "me" : "them")/\(key)"
  }
}

struct WhatsAppFiles {
  let surroundings: FileSurroundings?
  /// Possible folders before a file's name, depending on the program that copied them.
  let folders: [String]

  func path(_ written: String) -> String {
    folders.map { $0 + written }.first { surroundings?.file($0) != nil } ?? written
  }
}

extension RecordSink {
  /// The address is the chat's identity for later imports.
  mutating func append(
    _ message: RichMessage, chat address: String, called title: String, _ options: ImportOptions
  ) {
    append(
      message,
      conversation: conversation(
        keyed: "whatsapp:\(address)", title: title, isDirect: WhatsAppPeople.isDirect(address), options))
  }
}

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
