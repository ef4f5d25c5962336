internal import MessageModel

struct OpenCodeHistory: SQLiteHistory {
  private let rows: SQLiteRows
  private var messages: OpenCodeMessages

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard
      try file.columns(of: "session").isSuperset(of: [
        "id", "title", "directory", "parent_id", "version",
      ]),
      try file.columns(of: "message").isSuperset(of: ["id", "session_id", "time_created", "data"]),
      try file.columns(of: "part").isSuperset(of: ["id", "message_id", "data"])
    else {
      throw .lackingTables(of: "opencode")
    }
    messages = OpenCodeMessages(options)
    rows = try file.rows(
      """
      SELECT p.id, p.data, m.id, m.data, m.time_created, s.id, s.title, s.directory, s.parent_id
        FROM message AS m JOIN session AS s ON s.id = m.session_id LEFT JOIN part AS p ON p.message_id = m.id
        ORDER BY m.session_id, m.time_created, m.id, p.id
      """)
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard try rows.next() else {
      messages.finish(into: &sink)
      return false
    }
    let (id, data, facts) = (rows.text(0) ?? "", Array(rows.bytes(1)), Array(rows.bytes(3)))
    let place = OpenCodeMessages.Place(
      id: rows.text(2) ?? "", session: rows.text(5) ?? "", title: rows.text(6), folder: rows.text(7),
      parent: rows.text(8), time: Timestamp(millisecondsSince1970: rows.integer(4)))
    messages.take(part: id, data, of: facts, at: place, into: &sink)
    return true
  }
}
