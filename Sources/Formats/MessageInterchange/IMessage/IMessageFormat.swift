internal import MessageModel

/// Apple's Messages: `chat.db` on a Mac, `sms.db` in a phone's backup.
/// Reads a `chat.db` chat by chat. Columns differ by system version; missing ones count as empty.
struct IMessageHistory: SQLiteHistory {
  private let options: ImportOptions
  let tapbacks: IMessageTapbacks
  private let chats: [Int64: String]
  private let identities: [Int64: ConversationIdentity]
  private let isDirect: [Int64: Bool]
  private var queries: [SQLiteRows]
  private(set) var newestRow: Int64?
  var me: String { options.me ?? "me" }
  /// Those whose votes may follow.
  var polls: [String: IMessagePoll] = [:]
  private var pending: (chat: Int64, row: Int64, message: RichMessage)?

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    self.options = options
    let columns = try file.columns(of: "message")
    guard columns.isSuperset(of: ["guid", "text", "handle_id", "date", "is_from_me"]) else {
      throw .lackingTables(of: "Messages")
    }
    for table in ["chat_message_join", "handle", "chat"] where try file.columns(of: table).isEmpty {
      throw InterchangeError(
        .unreadable, "cannot read the database", cause: "it has no table '\(table)'")
    }
    // Read first, so that rows added meanwhile are read again next time.
    let newest = try file.rows("SELECT max(ROWID) FROM message")
    if try newest.next() { newestRow = newest.integer(0) }
    chats = try Self.chats(file)
    isDirect = try Self.directChats(file)
    identities = try Self.identities(file)
    let hasTapbacks = columns.contains("associated_message_type")
    let emoji = columns.contains("associated_message_emoji") ? "m.associated_message_emoji" : "NULL"
    tapbacks = try IMessageTapbacks(
      file.rows(
        hasTapbacks
          ? """
          SELECT m.associated_message_guid, m.associated_message_type, \(emoji), h.id, m.is_from_me
          FROM message m LEFT JOIN handle h ON h.ROWID = m.handle_id
          WHERE m.associated_message_type BETWEEN 2000 AND 3999 \(options.rowsAfter.map { "AND m.ROWID > \($0)" } ?? "")
          ORDER BY m.date, m.ROWID
          """ : "SELECT 1 WHERE 0"), me: options.me ?? "me")
    let news = options.rowsAfter.map { Self.news(after: $0, hasTapbacks: hasTapbacks) } ?? ""
    let hasJoin = try !file.columns(of: "message_attachment_join").isEmpty
    let files = hasJoin ? try file.columns(of: "attachment") : []
    queries = []
    for isInChat in [false, true] {
      queries.append(try file.rows(Self.query(columns, isInChat: isInChat, files: files, news)))
    }
  }

  private static func news(after row: Int64, hasTapbacks: Bool) -> String {
    let isNew = "SELECT ROWID FROM message WHERE ROWID > \(row)"
    guard hasTapbacks else { return "AND m.ROWID IN (\(isNew))" }
    // The id follows `p:0/` or `bp:`.
    let id = "t.associated_message_guid"
    let target = "substr(\(id), max(instr(\(id), '/'), instr(\(id), ':')) + 1)"
    return """
      AND m.ROWID IN (\(isNew) UNION SELECT ROWID FROM message WHERE guid IN (
        SELECT \(target) FROM message t
        WHERE t.ROWID > \(row) AND t.associated_message_type BETWEEN 2000 AND 3999))
      """
  }

  private static func query(
    _ columns: Set<String>, isInChat: Bool, files: Set<String>, _ news: String
  ) -> String {
    let wanted = [
      "guid", "text", "attributedBody", "is_from_me", "date", "date_edited", "date_retracted", "item_type",
      "group_title", "group_action_type", "thread_originator_guid", "message_summary_info",
    ].map { columns.contains($0) ? "m.\($0)" : "NULL" }
    let facts = ["transfer_name", "mime_type", "total_bytes", "filename"]
      .map { files.contains($0) ? "a.\($0)" : "NULL" }
    let apps = [
      "subject", "balloon_bundle_id", "payload_data", "associated_message_type", "associated_message_guid",
    ].map { columns.contains($0) ? "m.\($0)" : "NULL" }
    let hasOther = columns.contains("other_handle")
    let all = wanted + facts + apps + [hasOther ? "o.id" : "NULL"]
    let isMessage =
      columns.contains("associated_message_type")
      ? "ifnull(m.associated_message_type, 0) NOT BETWEEN 2000 AND 3999" : "1"
    let joinedFiles =
      "LEFT JOIN message_attachment_join ma ON ma.message_id = m.ROWID"
      + " LEFT JOIN attachment a ON a.ROWID = ma.attachment_id"
    let inNoChat =
      "AND m.ROWID NOT IN (SELECT message_id FROM chat_message_join WHERE message_id IS NOT NULL)"
    return """
      SELECT \(isInChat ? "j.chat_id" : "NULL"), m.ROWID, h.id, \(all.joined(separator: ", "))
      FROM \(isInChat ? "chat_message_join j JOIN message m ON m.ROWID = j.message_id" : "message m")
      LEFT JOIN handle h ON h.ROWID = m.handle_id \(files.isEmpty ? "" : joinedFiles)
      \(hasOther ? "LEFT JOIN handle o ON o.ROWID = m.other_handle" : "")
      WHERE \(isMessage) \(news) \(isInChat ? "" : inNoChat)
      ORDER BY \(isInChat ? "j.chat_id, j.message_id" : "m.ROWID")
      """
  }

  private static func chats(_ file: SQLiteFile) throws(InterchangeError) -> [Int64: String] {
    var chats: [Int64: String] = [:]
    let rows = try file.rows("SELECT ROWID, display_name, chat_identifier FROM chat")
    while try rows.next() {
      let name = rows.text(1).flatMap { $0.isEmpty ? nil : $0 }
      chats[rows.integer(0)] = name ?? rows.text(2) ?? "chat \(rows.integer(0))"
    }
    guard try !file.columns(of: "chat_handle_join").isEmpty else { return chats }
    let people = try file.rows(
      """
      SELECT c.ROWID, group_concat(h.id, ', ') FROM chat c JOIN chat_handle_join j ON j.chat_id = c.ROWID
      JOIN handle h ON h.ROWID = j.handle_id
      WHERE ifnull(c.display_name, '') = '' AND c.chat_identifier LIKE 'chat%' GROUP BY c.ROWID
      """)
    while try people.next() { chats[people.integer(0)] = people.text(1) }
    return chats
  }

  private static func identities(
    _ file: SQLiteFile
  ) throws(InterchangeError) -> [Int64: ConversationIdentity] {
    guard try file.columns(of: "chat").contains("guid") else { return [:] }
    var identities: [Int64: ConversationIdentity] = [:]
    let rows = try file.rows("SELECT ROWID, guid FROM chat")
    while try rows.next() {
      // `iMessage;-;+4912345`; SMS and iMessage with one person are the same conversation.
      let address = rows.text(1)?.split(separator: ";", maxSplits: 1).last.map(String.init)
      identities[rows.integer(0)] = ConversationIdentity(platform: "imessage", key: address ?? "")
    }
    return identities
  }

  /// Style 45 is a direct chat, 43 a group.
  private static func directChats(_ file: SQLiteFile) throws(InterchangeError) -> [Int64: Bool] {
    guard try file.columns(of: "chat").contains("style") else { return [:] }
    var isDirect: [Int64: Bool] = [:]
    let rows = try file.rows("SELECT ROWID, style FROM chat WHERE style IN (43, 45)")
    while try rows.next() { isDirect[rows.integer(0)] = rows.integer(1) == 45 }
    return isDirect
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let rows = queries.last else { return false }
    guard try rows.next() else {
      handOver(into: &sink)
      queries.removeLast()
      return !queries.isEmpty
    }
    let (chat, row) = (rows.integer(0), rows.integer(1))
    if pending?.chat != chat || pending?.row != row {
      handOver(into: &sink)
      guard let message = self.message(rows, into: &sink) else { return true }
      pending = (chat, row, message)
    }
    if let name = rows.text(15) ?? rows.text(18) {
      pending?.message.details.attachments.append(
        Message.Attachment(
          name: name.split(separator: "/").last.map(String.init) ?? name, mediaType: rows.text(16),
          byteCount: Int(exactly: rows.integer(17)), path: rows.text(18)))
    }
    return true
  }

  private mutating func handOver(into sink: inout RecordSink) {
    guard let (chat, _, message) = pending else { return }
    pending = nil
    let name = chats[chat] ?? message.details.senderID ?? "no chat"
    sink.append(
      message,
      conversation: sink.conversation(
        named: name, isDirect: isDirect[chat], identity: identities[chat], options))
  }
}
