internal import MessageModel

/// The table `message`, since 2022.
enum WhatsAppNewerRows {
  private static let wanted = ["chat_row_id", "from_me", "key_id", "timestamp", "message_type", "text_data"]

  /// `nil` without the table, `.min` without messages.
  static func last(_ file: SQLiteFile) throws(InterchangeError) -> Int64? {
    guard try file.columns(of: "message").isSuperset(of: wanted) else { return nil }
    let rows = try file.rows("SELECT max(_id) FROM message")
    // The first row is a placeholder.
    return try rows.next() && rows.integer(0) > 1 ? rows.integer(0) : .min
  }

  static func rows(_ file: SQLiteFile) throws(InterchangeError) -> KeyedRows {
    let columns = try file.columns(of: "message")
    let all = wanted + ["sender_jid_row_id", "broadcast"]
    return try KeyedRows(
      file, all.map { columns.contains($0) ? $0 : "NULL" }, from: "message", by: "_id")
  }

  static func record(_ row: SQLiteRows, _ context: WhatsAppAndroidContext) -> WhatsAppRecord? {
    guard row.integer(1) != -1 else { return nil }
    let chat = context.chat(row.integer(1))
    let type = row.integer(5)
    return WhatsAppRecord(
      row: row.integer(0), chat: chat.address, title: chat.title, isFromMe: row.integer(2) != 0,
      key: row.text(3), sender: context.address(row.integer(7)), milliseconds: row.integer(4), type: type,
      text: row.text(6) ?? "", isCopy: row.integer(8) != 0, isNotice: type == 7)
  }
}

/// The table `messages`, until 2022, with details in its own columns and in Java objects.
final class WhatsAppOlderRows {
  private static let wanted = ["key_remote_jid", "key_from_me", "key_id", "timestamp", "data"]
  private static let besides = [
    "CAST(media_wa_type AS INTEGER)", "remote_resource", "needs_push", "status", "media_size",
    "media_mime_type", "media_name", "media_caption", "thumb_image", "quoted_row_id", "latitude", "longitude",
    "edit_version",
  ]

  private let context: WhatsAppAndroidContext
  private let quotes: RowLookup<(key: String?, chat: String?, isFromMe: Bool)>
  private var subjects: [String: String] = [:]

  private static let mostSubjects = 500_000

  init(_ file: SQLiteFile, _ context: WhatsAppAndroidContext) throws(InterchangeError) {
    self.context = context
    let hasQuotes = try file.isKeyed(
      "messages_quotes", by: "_id", with: ["key_id", "key_remote_jid", "key_from_me"])
    quotes = RowLookup(
      hasQuotes
        ? try file.rows("SELECT key_id, key_remote_jid, key_from_me FROM messages_quotes WHERE _id = ?1")
        : nil
    ) { ($0.text(0), $0.text(1), $0.integer(2) != 0) }
    if try file.columns(of: "chat_list").isSuperset(of: ["key_remote_jid", "subject"]) {
      try learn(file.rows("SELECT key_remote_jid, subject FROM chat_list"))
    }
    let hasAddresses = try file.isKeyed("jid", by: "_id", with: ["raw_string"])
    if hasAddresses, try file.columns(of: "chat").isSuperset(of: ["jid_row_id", "subject"]) {
      try learn(
        file.rows("SELECT j.raw_string, c.subject FROM chat AS c JOIN jid AS j ON j._id = c.jid_row_id"))
    }
  }

  private func learn(_ rows: SQLiteRows) throws(InterchangeError) {
    while try rows.next(), subjects.count < Self.mostSubjects {
      if let address = rows.text(0), let subject = rows.text(1), !subject.isEmpty {
        subjects[address] = subject
      }
    }
  }

  static func last(_ file: SQLiteFile) throws(InterchangeError) -> Int64? {
    guard try file.columns(of: "messages").isSuperset(of: wanted + ["media_wa_type"]) else { return nil }
    let rows = try file.rows("SELECT max(_id) FROM messages")
    return try rows.next() && rows.integer(0) > 1 ? rows.integer(0) : .min
  }

  static func rows(_ file: SQLiteFile) throws(InterchangeError) -> KeyedRows {
    let columns = try file.columns(of: "messages")
    let all = wanted + besides
    return try KeyedRows(
      file, all.map { $0.hasPrefix("CAST") || columns.contains($0) ? $0 : "NULL" }, from: "messages",
      by: "_id")
  }

  func record(_ row: SQLiteRows) -> WhatsAppRecord? {
    guard let written = row.text(1), written != "-1" else { return nil }
    let chat = context.people.address(written)
    let title = subjects[written] ?? context.people.name(of: chat)
    var record = WhatsAppRecord(
      row: row.integer(0), chat: chat, title: title, isFromMe: row.integer(2) != 0, key: row.text(3),
      sender: row.text(7).flatMap { $0.contains("@") ? context.people.address($0) : nil },
      milliseconds: row.integer(4), type: row.integer(6), text: row.text(5) ?? "",
      isCopy: row.integer(8) == 2, isNotice: row.integer(9) == 6)
    if record.isNotice {
      // In a notice the column of the media size holds the event.
      record.action = row.integer(10)
      record.people = JavaStrings.all(in: row.bytes(14)) { $0.contains("@") }
    } else {
      read(row, into: &record)
    }
    if row.integer(18) == 7 { record.type = 15 }
    return record
  }

  private func read(_ row: SQLiteRows, into record: inout WhatsAppRecord) {
    if let caption = row.text(13), !caption.isEmpty { record.text = caption }
    let path = JavaStrings.all(in: row.bytes(14)) { $0.contains("Media/") }.first
    let type = row.text(11)
    if WhatsAppKind.isFile(record.type), type != nil || path != nil || row.integer(10) > 0 {
      record.attachment = Message.Attachment(
        name: WhatsAppKind.fileName(row.text(12), path, record.type), mediaType: type,
        byteCount: Int(exactly: row.integer(10)).flatMap { $0 > 0 ? $0 : nil },
        path: path.map { context.files.path(Self.inner($0)) })
    }
    if record.type == 5 || record.type == 16, row.real(16) != 0 || row.real(17) != 0 {
      record.text = WhatsAppKind.place([record.text], row.real(16), row.real(17))
    }
    if row.integer(15) != 0, let quote = quotes.value(row.integer(15)) {
      let chat = quote.chat.map(context.people.address) ?? record.chat
      record.answered = WhatsAppID.id(quote.key, in: chat, isFromMe: quote.isFromMe, isCopy: false)
    }
  }

  /// The path from the folder `Media` on; the phone's own folders exist nowhere else.
  private static func inner(_ path: String) -> String {
    path.firstRange(of: "Media/").map { String(path[$0.lowerBound...]) } ?? path
  }
}

/// The strings in a serialised Java object
/// (<https://docs.oracle.com/en/java/javase/21/docs/specs/serialization/protocol.html>).
enum JavaStrings {
  private static let bound = 1 << 16
  private static let longest = 1_024
  private static let most = 500

  /// A string is a `t`, its length and its UTF-8.
  static func all(in object: Bytes, where isWanted: (String) -> Bool) -> [String] {
    let object = object.first(min(object.count, bound))
    guard object.count > 4, object[0] == 0xAC, object[1] == 0xED else { return [] }
    var strings: [String] = []
    var position = 2
    while strings.count < most, let mark = object.position(of: UInt8(ascii: "t"), from: position) {
      position = mark + 1
      guard mark + 3 <= object.count else { break }
      let count = Int(object[mark + 1]) << 8 | Int(object[mark + 2])
      guard count > 0, count <= longest, mark + 3 + count <= object.count else { continue }
      let bytes = Bytes(rebasing: object[(mark + 3)..<(mark + 3 + count)])
      guard UTF8Check.isValid(bytes), !bytes.contains(where: { $0 < 0x20 }), isWanted(bytes.string) else {
        continue
      }
      strings.append(bytes.string)
      position = mark + 3 + count
    }
    return strings
  }
}
