internal import CSHA256
internal import MessageModel

extension SignalPlainHistory {
  private static let fileName = "main.jsonl"

  static func isHead(_ line: Bytes) -> Bool {
    guard line.has("{"), let fields = JSONFields(line) else { return false }
    return fields["backupTimeMs"] != nil && fields["version"] != nil
  }

  static func isOurs(_ line: Bytes) -> Bool { beginnings.contains { line.has($0) } }

  private static let beginnings: [StaticString] = [
    "{\"recipient\":{\"id\":", "{\"chat\":{\"id\":", "{\"chatItem\":{\"chatId\":",
  ]

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name == "metadata.json" { return companions.has(fileName, in: folder) }
    guard SignalFiles.isName(sample.name), folder.count >= 2, folder[folder.count - 2] == "files" else {
      return false
    }
    return companions.has(fileName, in: Array(folder.dropLast(2)))
  }
}

/// Files beside Signal's export, by their names without extensions.
struct SignalFiles: CompanionFiles {
  private var paths: [String: String] = [:]

  static func isName(_ name: String) -> Bool {
    let digits = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    return digits.count == 64 && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  mutating func add(_ components: ArraySlice<String>) {
    guard let name = components.last, Self.isName(name), components.first == "files" else { return }
    paths[String(name.prefix { $0 != "." })] = components.joined(separator: "/")
  }

  func path(of name: String) -> String { paths[name] ?? "files/\(name.prefix(2))/\(name)" }
}

/// The lines of Signal's own export: the account, a recipient, a chat, or an item of a chat. It is the
/// content of Signal's backups as JSON (<https://github.com/signalapp/libsignal>, `backup.proto`): 64-bit
/// numbers are strings, bytes are base64, and 0 and empty values are omitted.
struct SignalPlainHistory: JSONRows {
  private let options: ImportOptions
  private let file: InputFile
  private let surroundings: FileSurroundings?
  private var people = SignalPeople()
  private var chats: [String: String] = [:]
  private var files: SignalFiles?
  private(set) var hasSeenItsFormat = false

  private static let mostChats = 500_000

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    self.file = file
    surroundings = FileSurroundings(file)
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    if let item = fields.object("chatItem") {
      try takeItem(item, line, into: &sink)
    } else if let account = fields.object("account") {
      let names = [try account.plainText("givenName"), try account.plainText("familyName")]
      people.me = options.me ?? SignalPeople.joined(names) ?? "me"
    } else if let recipient = fields.object("recipient") {
      try people.learn(recipient)
    } else if let chat = fields.object("chat"), let id = try chat.plainText("id") {
      if chats.count < Self.mostChats { chats[id] = try chat.plainText("recipientId") }
    }
  }

  private mutating func takeItem(
    _ item: JSONFields, _ line: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    if files == nil { files = file.companions.namedFiles(in: file.folder) }
    var versions: [JSONFields] = []
    try item.forEach("revisions") { value throws(JSONError) in
      guard versions.count < Self.mostVersions else { return }
      versions.append(try JSONFields.reading(value))
    }
    // The item is the current version; the message is identified by its first one.
    guard let sent = (versions.first ?? item).integer("dateSent"), sent > 0 else {
      throw JSONError(reason: "it has no time")
    }
    let author = people.person(try item.plainText("authorId"))
    let reader = SignalItem(people: people, files: files ?? SignalFiles(), surroundings: surroundings)
    var message = RichMessage(time: Timestamp(millisecondsSince1970: sent), text: "")
    message.sender = author.name
    message.details.senderID = author.id
    try reader.read(item, into: &message)
    message.details.edits = try edits(versions, item, reader)
    if !versions.isEmpty, message.kind == .text {
      message.details.isEdited = true
      message.details.editedAt = item.integer("dateSent").map { Timestamp(millisecondsSince1970: $0) }
    }
    message.details.source = Message.Source(
      platform: "signal", id: "\(author.id)/\(sent)", original: options.keepsOriginal ? line.string : nil)
    let chat = people.chat(try item.plainText("chatId").flatMap { chats[$0] })
    sink.append(
      message,
      conversation: sink.conversation(
        keyed: "signal:\(chat.id)", title: chat.name, isDirect: chat.isDirect, options))
  }

  private static let mostVersions = 1_000

  private func edits(
    _ versions: [JSONFields], _ item: JSONFields, _ reader: SignalItem
  ) throws(JSONError) -> [Message.Edit] {
    var edits: [Message.Edit] = []
    for (old, new) in zip(versions, versions.dropFirst() + [item]) {
      guard let replaced = new.integer("dateSent") else { continue }
      var message = RichMessage(time: Timestamp(millisecondsSince1970: replaced), text: "")
      try reader.read(old, into: &message)
      if message.kind == .text { edits.append(Message.Edit(time: message.time, text: message.text)) }
    }
    return edits
  }
}

struct SignalPeople {
  struct Recipient {
    var id: String
    var name: String
    var isDirect: Bool?
  }

  var me = "me"
  private var recipients: [String: Recipient] = [:]
  private var names: [String: String] = [:]
  private var own: String?

  private static let most = 500_000

  mutating func learn(_ fields: JSONFields) throws(JSONError) {
    guard let number = try fields.plainText("id"), recipients.count < Self.most else { return }
    if let contact = fields.object("contact") {
      let recipient = try Self.person(contact, number)
      recipients[number] = recipient
      names[recipient.id] = recipient.name
    } else if let group = fields.object("group") {
      let title = try group.object("snapshot")?.object("title")?.plainText("title") ?? ""
      // The group's key gives access to it, so only a digest is kept.
      let id = try group.plainText("masterKey").map {
        Self.digest(TransferEncoding.base64($0.utf8)).prefix(32)
      }
      recipients[number] = Recipient(
        id: "group-\(id.map(String.init) ?? number)", name: title.isEmpty ? "group \(number)" : title,
        isDirect: false)
    } else if fields["self"] != nil {
      own = number
    } else if fields["releaseNotes"] != nil {
      recipients[number] = Recipient(id: "release-notes", name: "Signal", isDirect: nil)
    }
  }

  private static func person(_ contact: JSONFields, _ number: String) throws(JSONError) -> Recipient {
    let nickname = contact.object("nickname")
    let phone = try contact.plainText("e164").map { "+\($0)" }
    let candidates = [
      joined([try nickname?.plainText("given"), try nickname?.plainText("family")]),
      joined([try contact.plainText("systemGivenName"), try contact.plainText("systemFamilyName")]),
      joined([try contact.plainText("profileGivenName"), try contact.plainText("profileFamilyName")]),
      try contact.plainText("username"), phone,
    ]
    let (account, hidden) = (try contact.plainText("aci"), try contact.plainText("pni"))
    let id = identity(account) ?? identity(hidden) ?? phone ?? "recipient-\(number)"
    return Recipient(
      id: id, name: candidates.compactMap { $0 }.first { !$0.isEmpty } ?? "recipient \(number)",
      isDirect: true)
  }

  static func joined(_ parts: [String?]) -> String? {
    let words = parts.compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The UUID, from 16 bytes in base64.
  private static func identity(_ written: String?) -> String? {
    guard let written, written.utf8.count <= 64 else { return nil }
    let bytes = TransferEncoding.base64(written.utf8)
    guard bytes.count == 16 else { return nil }
    let digits = Hexadecimal.text(of: bytes)
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  func person(_ number: String?) -> (id: String, name: String) {
    guard let number else { return ("unknown", "unknown") }
    if number == own { return ("me", me) }
    return recipients[number].map { ($0.id, $0.name) } ?? (number, "recipient \(number)")
  }

  func chat(_ number: String?) -> Recipient {
    guard let number else { return Recipient(id: "unknown", name: "unknown chat", isDirect: nil) }
    if number == own { return Recipient(id: "note-to-self", name: "Note to Self", isDirect: nil) }
    return recipients[number]
      ?? Recipient(id: "recipient-\(number)", name: "recipient \(number)", isDirect: nil)
  }

  func name(ofIdentity written: String?) -> String? {
    Self.identity(written).map { names[$0] ?? String($0.prefix(8)) }
  }

  static func digest(_ bytes: [UInt8]) -> String {
    var hash = csha256()
    csha256_begin(&hash)
    csha256_add(&hash, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: 32)
    csha256_end(&hash, &digest)
    return Hexadecimal.text(of: digest)
  }
}
