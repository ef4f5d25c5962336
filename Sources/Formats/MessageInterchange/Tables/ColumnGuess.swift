internal import MessageModel

/// What the keys of generic JSON seem to hold, where a usual name of the time, the text or the sender is missing.
struct ColumnGuess {
  private var known: Set<ColumnMap.Role> = []
  private var guesses: [ColumnMap.Role: String] = [:]

  /// Why a file cannot be read without being told more, with the option that tells it; `nil` if nothing is
  /// missing, or nothing in the file could be it.
  static func reason(_ sample: FormatSample) -> String? {
    guard sample.beginsJSON else { return nil }
    let records = records(of: sample)
    guard !records.isEmpty else { return nil }
    var guess = ColumnGuess()
    for record in records {
      record.withUnsafeBytes { bytes in
        if let fields = JSONFields(bytes) { guess.look(at: fields, sample.columns) }
      }
    }
    return guess.reason
  }

  private static let recordCount = 20
  private static let needed: [ColumnMap.Role] = [.time, .sender, .text]

  private static func records(of sample: FormatSample) -> [[UInt8]] {
    var records: [[UInt8]] = []
    for line in sample.lines.prefix(recordCount) {
      let isRecord = line.withUnsafeBytes { $0.first == UInt8(ascii: "{") && JSONFields($0) != nil }
      guard isRecord else { break }
      records.append(Array(line))
    }
    if !records.isEmpty, sample.lines.count > 1 { return records }
    records = []
    var stream = JSONStream(ByteSource(MemoryProducer(sample.bytes)))
    while records.count < recordCount,
      case .value(let value, _)? = try? stream.nextValue(LooseJSONHistory.descends)
    {
      if stream.path.last == "*" { records.append(Array(value)) }
    }
    return records
  }

  private mutating func look(at fields: JSONFields, _ columns: ColumnMap) {
    known.formUnion(columns.chosen)
    known.formUnion(columns.roles(in: fields).filter { holds($0, fields, columns) })
    for key in fields.keys {
      guard let value = fields[key] else { continue }
      if let (role, _) = columns.role(of: key) {
        // A message in an object may name its sender there.
        if role == .text, let inner = JSONFields(value), columns.roles(in: inner).contains(.sender) {
          known.insert(.sender)
        }
        continue
      }
      if let inner = JSONFields(value) {
        for innerKey in inner.keys {
          guard let innerValue = inner[innerKey] else { continue }
          note("\(key).\(innerKey)", innerKey, innerValue)
        }
        if guesses[.sender] == nil, let name = Self.name(in: inner, under: key) {
          guesses[.sender] = "\(key).\(name)"
        }
      } else {
        note(key, key, value)
      }
    }
  }

  /// The key of a person's name in an object: files and rooms have names, too, but no login.
  private static func name(in fields: JSONFields, under key: String) -> String? {
    let isPerson = people.contains(key.lowercased()) || speakers.contains(key.lowercased())
    return (isPerson ? names : Array(names.prefix(loginCount))).first { fields[$0] != nil }
  }

  /// Whether a message has what a key of its says.
  private func holds(_ role: ColumnMap.Role, _ fields: JSONFields, _ columns: ColumnMap) -> Bool {
    fields.keys.contains { key in
      guard columns.role(of: key)?.role == role else { return false }
      return role != .sender || (try? fields.label(key)) != nil
    }
  }

  private mutating func note(_ path: String, _ key: String, _ value: Bytes) {
    let name = key.lowercased()
    if guesses[.time] == nil, Self.isTime(value) { guesses[.time] = path }
    guard value.first == UInt8(ascii: "\"") else { return }
    if guesses[.sender] == nil, path == key, Self.speakers.contains(name) { guesses[.sender] = path }
    if guesses[.text] == nil, Self.texts.contains(name) { guesses[.text] = path }
  }

  private var reason: String? {
    let missing = Self.needed.filter { !known.contains($0) }
    // Notes have no sender, and lists of people or rooms neither times nor texts.
    let mayBeMessages = known.contains(.time) || known.contains(.text)
    guard mayBeMessages, !missing.isEmpty, missing.allSatisfy({ guesses[$0] != nil }) else { return nil }
    let map = missing.map { "\($0.rawValue)=\(guesses[$0] ?? "")" }.joined(separator: ",")
    let names = missing.map { Self.words[$0] ?? $0.rawValue }.joined(separator: " and ")
    return "no key is known to hold \(names) of its messages (--map \(map) reads it)"
  }

  private static let words: [ColumnMap.Role: String] = [
    .time: "the time", .sender: "the sender", .text: "the text",
  ]

  /// Of a moment since the year 2000, as a number in seconds or milliseconds or in words.
  private static func isTime(_ value: Bytes) -> Bool {
    var times = LooseTime(ImportOptions(timeZone: .gmt))
    var scanner = JSONScanner(value)
    guard let kind = try? scanner.kind() else { return false }
    switch kind {
    case .number: return times.read(value).map { isRecent($0.time) } ?? false
    case .string:
      guard let text = try? scanner.string().string(), text.utf8.count >= 8 else { return false }
      return times.read(text).map { isRecent($0.time) } ?? false
    case .object, .array, .literal: return false
    }
  }

  private static func isRecent(_ time: Timestamp) -> Bool { (2_000...2_100).contains(time.utc.year) }

  private static let people: Set<String> = [
    "u", "author", "user", "from", "profile", "contact", "peer", "sender_info",
  ]
  /// Those that only people have come first.
  private static let names = [
    "username", "screen_name", "nick", "nickname", "login", "handle", "name", "display_name", "displayName",
    "full_name", "real_name", "email",
  ]
  private static let loginCount = 6
  private static let speakers: Set<String> = [
    "speaker", "who", "by", "login", "handle", "participant", "member", "actor", "owner", "creator", "poster",
    "writer", "person", "sent_by", "sentby", "fromuser", "from_user", "from_name", "sender_id", "senderid",
    "author_id", "authorid", "user_id", "userid", "account", "screen_name", "display_name", "displayname",
  ]
  private static let texts: Set<String> = [
    "text_content", "message_text", "messagetext", "plaintext", "plain_text", "raw", "markdown", "html",
    "value",
    "said", "line", "comment", "post", "caption", "description", "data",
  ]
}
