/// The names of people and groups, by the addresses that WhatsApp gives them: `491511@s.whatsapp.net` is a person by their
/// number, `2345@lid` one whose number is hidden, `1203@g.us` a group.
struct WhatsAppPeople {
  /// The name of who made the history.
  let me: String
  private var names: [String: String] = [:]
  /// The addresses with a number of those that are known by a hidden one, too.
  private var numbers: [String: String] = [:]

  /// The most names that are kept in memory.
  private static let most = 500_000

  /// Creates an empty list.
  init(me: String) { self.me = me }

  /// Learns a name; the first one that is learned of an address stays.
  mutating func learn(_ name: String?, of address: String?) {
    guard let address, let name, !name.isEmpty, names.count < Self.most else { return }
    let plain = Self.plain(address)
    if names[plain] == nil { names[plain] = name }
  }

  /// Learns the address with a number of somebody with a hidden one.
  mutating func learn(number: String?, ofHidden hidden: String?) {
    guard let number, let hidden, numbers.count < Self.most else { return }
    numbers[Self.plain(hidden)] = Self.plain(number)
  }

  /// Gives those whose numbers are known the names that they have by their hidden addresses alone.
  mutating func connect() {
    for (hidden, number) in numbers where names[number] == nil { names[number] = names[hidden] }
  }

  /// The address that stays the same: the one with a number, if it is known, and without that of a device.
  func address(_ written: String) -> String {
    let plain = Self.plain(written)
    return numbers[plain] ?? plain
  }

  /// Returns the name of somebody or some group, else the number, else the address.
  func name(of written: String) -> String {
    let plain = Self.plain(written)
    let address = numbers[plain] ?? plain
    if let name = names[address] ?? names[plain] { return name }
    guard address.hasSuffix("@s.whatsapp.net") else {
      return address == "status@broadcast" ? "Status" : address
    }
    return "+" + address.prefix { $0 != "@" }
  }

  /// Whether a conversation at an address is between two people; `nil` for lists, channels and what is not known.
  static func isDirect(_ address: String) -> Bool? {
    switch address.split(separator: "@").last {
    case "s.whatsapp.net", "lid": true
    case "g.us": false
    default: nil
    }
  }

  /// Returns a text with the names of those whom it mentions by their numbers: `@491511`.
  ///
  /// - Complexity: O(length).
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

  /// An address without the number of a device: `491511:12@s.whatsapp.net`, `491511.0:3@s.whatsapp.net`.
  private static func plain(_ written: String) -> String {
    guard let at = written.lastIndex(of: "@"), let first = written.first, first.isASCII, first.isNumber,
      let mark = written[..<at].firstIndex(where: { $0 == ":" || $0 == "." })
    else { return written }
    return String(written[..<mark] + written[at...])
  }
}

/// The ids of messages: WhatsApp's keys.
///
/// A key of today is so long and random that there is none twice, wherever a chat goes; older ones are a time and a number,
/// and count within their chat alone, as does one of a message that went to several people at once.
enum WhatsAppID {
  /// Returns the id of the message with a key; `nil` if it has none.
  static func id(_ key: String?, in chat: String, isFromMe: Bool, isCopy: Bool) -> String? {
    guard let key, !key.isEmpty else { return nil }
    let isUnique = key.utf8.count >= 16 && !key.utf8.contains(UInt8(ascii: "-")) && !isCopy
    return isUnique ? key : "\(chat)/\(isFromMe ? "me" : "them")/\(key)"
  }
}

/// The places of files that messages of WhatsApp name.
struct WhatsAppFiles {
  let surroundings: FileSurroundings?
  /// The folders that stand before the names of files, as the programs that copy them lay them out.
  let folders: [String]

  /// Returns the path of a file as it lies beside the database; as it is written if it is not there.
  func path(_ written: String) -> String {
    folders.map { $0 + written }.first { surroundings?.file($0) != nil } ?? written
  }
}

extension RecordSink {
  /// Adds a message to the chat with an address, which the next import knows it by.
  mutating func append(
    _ message: RichMessage, chat address: String, called title: String, _ options: ImportOptions
  ) {
    append(
      message,
      conversation: conversation(
        keyed: "whatsapp:\(address)", title: title, isDirect: WhatsAppPeople.isDirect(address), options))
  }
}
