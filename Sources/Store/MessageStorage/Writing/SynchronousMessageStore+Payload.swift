internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns what an app keeps with a message; `nil` if it keeps nothing, or there is no such message.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  public func payload(of id: Message.ID) throws(StoreError) -> [UInt8]? {
    try store.reading("cannot read message #\(id)") { db in
      try KeptPayload(of: SynchronousMessageStore.placed(id, in: db), in: db).data
    }
  }

  /// Returns the messages of a sending state, oldest first: what is still to be sent, for one.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  /// - Complexity: O(log *n* + `limit`).
  public func messages(
    in state: Message.SendingState, limit: Int
  ) throws(StoreError) -> [Message.ID] {
    try store.reading("cannot read '\(store.path)'") { db in
      try RawStatement(
        db, "SELECT message FROM payload WHERE state = ? ORDER BY message LIMIT ?", state.rawValue,
        max(limit, 0)
      ).map { row in Message.ID(rawValue: row.int(0)) }
    }
  }
}

extension StoreWriting {
  /// Keeps bytes with a message that mean nothing to the store; `nil` takes them away. The revision rises by one.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`; nothing
  ///   is changed then.
  public func setPayload(_ payload: [UInt8]?, of id: Message.ID) throws(StoreError) {
    try store.changeKept(of: id) { $0.data = payload }
  }

  /// Says how far an app has come with sending a message; `nil` says nothing any more. The revision rises by one.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`; nothing
  ///   is changed then.
  public func setSendingState(_ state: Message.SendingState?, of id: Message.ID) throws(StoreError) {
    try store.changeKept(of: id) { $0.state = state }
  }
}

extension SynchronousMessageStore {
  fileprivate func changeKept(of id: Message.ID, _ change: (inout KeptPayload) -> Void) throws(StoreError) {
    try writing("cannot change message #\(id)") { db in
      let id = try Self.present(id, in: db, "cannot change")
      var kept = try KeptPayload(of: id, in: db)
      change(&kept)
      try kept.write(for: id, in: db)
      try RawStatement.run(
        db,
        """
        UPDATE message SET revision = revision + 1, features = (features & ~?2) | (
            EXISTS (SELECT 1 FROM payload WHERE message = ?1) * ?2) WHERE id = ?1
        """, id.rawValue, MessageRow.Feature.payload)
    }
  }
}

/// A row of the table `payload`.
struct KeptPayload {
  var state: Message.SendingState?
  var data: [UInt8]?

  /// Whether there is nothing to be kept.
  var isEmpty: Bool { state == nil && data == nil }

  init(state: Message.SendingState?, data: [UInt8]?) {
    self.state = state
    self.data = data
  }

  /// Reads what is kept with a message.
  init(of id: Message.ID, in db: Database) throws {
    let statement = try RawStatement(db, "SELECT state, data FROM payload WHERE message = ?", id.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { return }
    state = statement.optionalInt(0).flatMap { Int(exactly: $0) }.flatMap(
      Message.SendingState.init(rawValue:))
    if !statement.isNull(1) { data = statement.withBytes(1) { Array($0) } }
  }

  /// Writes it in place of what was kept with a message before.
  func write(for id: Message.ID, in db: Database) throws {
    guard !isEmpty else {
      return try RawStatement.run(db, "DELETE FROM payload WHERE message = ?", id.rawValue)
    }
    let statement = try RawStatement(
      db, "INSERT OR REPLACE INTO payload VALUES (?, ?, ?)", id.rawValue, state.map { Int64($0.rawValue) })
    if let data {
      try data.withUnsafeBytes { bytes in
        statement.bindBlob(bytes, at: 3)
        try statement.run()
      }
    } else {
      try statement.run()
    }
  }
}
