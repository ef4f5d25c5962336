/// A chat's messages in rows of their own: listed ones in order, then edited, repeated or withdrawn ones.
struct CursorRows {
  enum Next {
    /// Valid until the next call.
    case value(Bytes, CursorSession.Header, isLeftBehind: Bool)
    case overlong(String)
  }

  private let lookup: SQLiteRows
  private let prefix: String
  private var headers: [CursorSession.Header]
  private var position = 0
  private let listedCount: Int

  /// O(messages of the chat · log rows).
  init(_ session: CursorSession, of file: SQLiteFile) throws(InterchangeError) {
    prefix = "bubbleId:\(session.id):"
    lookup = try file.rows("SELECT value FROM cursorDiskKV WHERE key = ?1")
    let listed = Set(session.headers.map(\.id))
    // A rewritten row gets a new number, so the numbers follow the order of writing.
    let keys = try file.rows(
      """
      SELECT rowid, key FROM cursorDiskKV WHERE key > \(SQLiteFile.literal(prefix))
        AND key < \(SQLiteFile.literal("bubbleId:\(session.id);"))
      """)
    var others: [(row: Int64, id: String)] = []
    while try keys.next() {
      let id = String((keys.text(1) ?? "").dropFirst(prefix.count))
      if !listed.contains(id) { others.append((keys.integer(0), id)) }
    }
    others.sort { $0.row < $1.row }
    headers = session.headers + others.map { CursorSession.Header(id: $0.id, time: nil) }
    listedCount = session.headers.isEmpty ? headers.count : session.headers.count
  }

  mutating func next() throws(InterchangeError) -> Next? {
    while position < headers.count {
      let header = headers[position]
      position += 1
      lookup.restart(with: prefix + header.id)
      switch try lookup.step() {
      case .overlong: return .overlong(header.id)
      case .end: continue
      case .row:
        let value = lookup.bytes(0)
        guard !value.isEmpty else { continue }
        return .value(value, header, isLeftBehind: position > listedCount)
      }
    }
    return nil
  }
}

/// Deleted chats whose messages remain.
struct CursorStrays {
  private let following: SQLiteRows
  private let chat: SQLiteRows
  private var key = "bubbleId:"

  init(_ file: SQLiteFile) throws(InterchangeError) {
    following = try file.rows("SELECT min(key) FROM cursorDiskKV WHERE key > ?1 AND key < 'bubbleId;'")
    chat = try file.rows("SELECT 1 FROM cursorDiskKV WHERE key = ?1 AND value IS NOT NULL")
  }

  /// O(log rows) for each chat that still exists.
  mutating func nextChat() throws(InterchangeError) -> String? {
    while true {
      following.restart(with: key)
      guard try following.next(), let found = following.text(0) else { return nil }
      let parts = found.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else {
        key = found
        continue
      }
      let id = String(parts[1])
      key = "bubbleId:\(id);"
      chat.restart(with: "composerData:\(id)")
      switch try chat.step() {
      case .end: return id
      // A chat that is too long to read exists.
      case .row, .overlong: continue
      }
    }
  }
}
