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
