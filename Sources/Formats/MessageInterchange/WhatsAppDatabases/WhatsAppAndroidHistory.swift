internal import MessageModel

/// The messages of a `msgstore.db`, in the order in which they reached the phone. Until 2022 one wide table
/// had columns for all details of a message; since then details are in tables of their own, such as those of
/// media. Missing tables and columns count as empty.
struct WhatsAppAndroidHistory: SQLiteHistory {
  private let options: ImportOptions
  private let context: WhatsAppAndroidContext
  private var rows: KeyedRows
  private let isOlder: Bool
  private var older: WhatsAppOlderRows
  private var beside: WhatsAppTablesBeside

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    try file.freeze()
    self.options = options
    isOlder = try Self.isOlder(file)
    context = try WhatsAppAndroidContext(file, options)
    older = try WhatsAppOlderRows(file, context)
    rows = try isOlder ? WhatsAppOlderRows.rows(file) : WhatsAppNewerRows.rows(file)
    beside = try WhatsAppTablesBeside(file, context)
  }

  /// Whether the wide table has the newest message: during the migration a phone has both forms.
  private static func isOlder(_ file: SQLiteFile) throws(InterchangeError) -> Bool {
    let newer = try WhatsAppNewerRows.last(file)
    let older = try WhatsAppOlderRows.last(file)
    guard newer != nil || older != nil else {
      throw .lackingTables(of: "WhatsApp")
    }
    return (older ?? .min) > (newer ?? .min)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    switch try rows.next() {
    case .end: return false
    case .overlong(let row): sink.skip(reason: "row \(row) has a value that is longer than 64 MB")
    case .row(let row):
      guard let record = isOlder ? older.record(row) : WhatsAppNewerRows.record(row, context) else {
        return true
      }
      guard record.milliseconds != 0 else {
        sink.skip(reason: "row \(record.row) has no time")
        return true
      }
      if let message = try beside.message(record) {
        sink.append(message, chat: record.chat, called: record.title, options)
      }
    }
    return true
  }
}

struct WhatsAppRecord {
  var row: Int64
  var chat: String
  var title: String
  var isFromMe: Bool
  var key: String?
  var sender: String?
  var milliseconds: Int64
  var type: Int64
  var text: String
  var isCopy = false
  var action: Int64?
  var isNotice = false
  var attachment: Message.Attachment?
  var answered: String?
  var people: [String] = []
}

/// What all rows of a `msgstore.db` refer to: chats and addresses by number, and people's names.
final class WhatsAppAndroidContext {
  let people: WhatsAppPeople
  let files: WhatsAppFiles
  /// The original keys of edited messages, by their current keys.
  let firstKeys: [String: String]
  private let addresses: RowLookup<String>
  private let chats: RowLookup<(address: Int64, subject: String?)>

  private static let mostKeys = 500_000

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    people = try Self.people(file, options)
    files = WhatsAppFiles(surroundings: file.surroundings, folders: ["", "WhatsApp/"])
    firstKeys = try Self.firstKeys(file)
    let hasAddresses = try file.isKeyed("jid", by: "_id", with: ["raw_string"])
    addresses = RowLookup(
      hasAddresses ? try file.rows("SELECT raw_string FROM jid WHERE _id = ?1") : nil
    ) { $0.text(0) ?? "" }
    let hasChats = try file.isKeyed("chat", by: "_id", with: ["jid_row_id", "subject"])
    chats = RowLookup(
      hasChats ? try file.rows("SELECT jid_row_id, subject FROM chat WHERE _id = ?1") : nil
    ) { ($0.integer(0), $0.text(1)) }
  }

  func address(_ number: Int64) -> String? {
    guard number > 0, let written = addresses.value(number), !written.isEmpty else { return nil }
    return people.address(written)
  }

  /// The messages of a deleted chat may still be in the database.
  func chat(_ number: Int64) -> (address: String, title: String) {
    guard let chat = chats.value(number), let address = address(chat.address) else {
      return ("chat \(number)", "deleted chat \(number)")
    }
    return (address, chat.subject.flatMap { $0.isEmpty ? nil : $0 } ?? people.name(of: address))
  }

  /// Names from the address book come first, then those that people chose.
  private static func people(
    _ file: SQLiteFile, _ options: ImportOptions
  ) throws(InterchangeError) -> WhatsAppPeople {
    var me: String?
    if try file.columns(of: "props").isSuperset(of: ["key", "value"]) {
      let rows = try file.rows("SELECT value FROM props WHERE key = 'user_push_name'")
      if try rows.next() { me = rows.text(0).flatMap { $0.isEmpty ? nil : $0 } }
    }
    var people = WhatsAppPeople(me: options.me ?? me ?? "me")
    if let book = file.neighbour("wa.db") {
      for column in ["display_name", "wa_name"] {
        guard let columns = try? book.columns(of: "wa_contacts"), columns.isSuperset(of: ["jid", column]),
          let rows = try? book.rows("SELECT jid, \(column) FROM wa_contacts")
        else { continue }
        while (try? rows.next()) == true { people.learn(rows.text(1), of: rows.text(0)) }
      }
    }
    guard try file.isKeyed("jid", by: "_id", with: ["raw_string"]) else { return people }
    if try file.columns(of: "jid_map").isSuperset(of: ["lid_row_id", "jid_row_id"]) {
      let rows = try file.rows(
        """
        SELECT l.raw_string, p.raw_string FROM jid_map AS m JOIN jid AS l ON l._id = m.lid_row_id
          JOIN jid AS p ON p._id = m.jid_row_id
        """)
      while try rows.next() { people.learn(number: rows.text(1), ofHidden: rows.text(0)) }
    }
    if try file.columns(of: "lid_display_name").isSuperset(of: ["lid_row_id", "display_name"]) {
      let rows = try file.rows(
        "SELECT j.raw_string, n.display_name FROM lid_display_name AS n JOIN jid AS j ON j._id = n.lid_row_id"
      )
      while try rows.next() { people.learn(rows.text(1), of: rows.text(0)) }
    }
    people.connect()
    return people
  }

  private static func firstKeys(_ file: SQLiteFile) throws(InterchangeError) -> [String: String] {
    var keys: [String: String] = [:]
    guard try file.columns(of: "message_edit_info").isSuperset(of: ["message_row_id", "original_key_id"]),
      try file.isKeyed("message", by: "_id", with: ["key_id"])
    else { return keys }
    let rows = try file.rows(
      """
      SELECT m.key_id, e.original_key_id FROM message_edit_info AS e JOIN message AS m ON m._id = e.message_row_id
        WHERE e.original_key_id <> m.key_id
      """)
    while try rows.next(), keys.count < mostKeys {
      if let key = rows.text(0), let first = rows.text(1), !first.isEmpty { keys[key] = first }
    }
    return keys
  }
}
