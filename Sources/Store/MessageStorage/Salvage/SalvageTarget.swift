internal import GRDB

/// The new store, with temporary tables for what is decided on later.
struct SalvageTarget {
  let db: Database
  let shapes: RowShapes
  private let puttingAside: String

  init(_ db: Database) throws {
    self.db = db
    shapes = try RowShapes()
    puttingAside = RowShape.insertion(of: shapes.message.names + ["origin"], into: "temp.candidate")
    try db.execute(
      sql: """
        CREATE TEMP TABLE candidate(
          \(shapes.message.names.joined(separator: ", ")), origin INTEGER NOT NULL);
        CREATE TEMP TABLE known(id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL);
        CREATE TEMP TABLE counted(
          scope INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(scope, first_id)
        ) WITHOUT ROWID;
        CREATE TEMP TABLE total(scope INTEGER PRIMARY KEY, count INTEGER NOT NULL);
        """)
  }

  @discardableResult
  func insert(_ record: TreeRecord, of shape: RowShape) throws -> Bool {
    guard isPossible(record, of: shape) else { return false }
    return try insert(record, of: shape, by: shape.insertion)
  }

  func insert(_ message: SalvagedMessage) throws {
    try insert(message.record, of: shapes.message, by: shapes.message.insertion)
  }

  func putAside(_ message: SalvagedMessage, _ origin: SalvagedMessage.Origin) throws {
    try insert(message.record, of: shapes.message, by: puttingAside, origin)
  }

  @discardableResult
  private func insert(
    _ record: TreeRecord, of shape: RowShape, by sql: String, _ origin: SalvagedMessage.Origin? = nil
  ) throws -> Bool {
    let statement = try RawStatement(db, sql)
    try record.bytes.withUnsafeBytes { bytes in
      for (index, value) in record.values.enumerated() {
        bind(value, of: shape.columns[index], record, bytes, to: statement, at: Int32(index + 1))
      }
      if let origin { statement.bind(origin.rawValue, at: Int32(shape.names.count + 1)) }
      try statement.run()
    }
    return db.changesCount > 0
  }

  private func bind(
    _ value: TreeRecord.Value, of column: RowShape.Column, _ record: TreeRecord,
    _ bytes: UnsafeRawBufferPointer, to statement: RawStatement, at index: Int32
  ) {
    switch value {
    case .null:
      if case .rowID = column { statement.bind(record.rowID, at: index) }
    case .integer(let number): statement.bind(number, at: index)
    case .real: break
    case .blob(let range): statement.bindBlob(UnsafeRawBufferPointer(rebasing: bytes[range]), at: index)
    case .text(let range):
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      if String(validating: text, as: UTF8.self) == nil {
        statement.bind(String(decoding: text, as: UTF8.self), at: index)
      } else {
        statement.bindText(text, at: index)
      }
    }
  }

  /// Whether this program could have written the row's numbers.
  private func isPossible(_ record: TreeRecord, of shape: RowShape) -> Bool {
    let ids = 1...Checker.maxID
    switch shape.name {
    case "conversation", "conversation_payload", "sender", "batch", "content", "content_data", "filter",
      "person", "person_entry":
      return record.rowID.map(ids.contains) ?? false
    case "edit", "reaction", "reaction_sender", "attachment":
      return record.integer(1).map { (-1...RawStatement.maxCount).contains($0) } ?? false
    case "tombstone", "duplicate", "picture": return record.integer(0).map(ids.contains) ?? false
    case "mark", "former_name": return record.integer(1).map(ids.contains) ?? false
    case "person_name": return record.integer(0).map(ids.contains) ?? false
    case "conversation_key", "person_account": return record.integer(2).map(ids.contains) ?? false
    default: return true
    }
  }

  func noteKnown(_ id: Int64, _ conversation: Int64) throws {
    guard (1...Checker.maxID).contains(conversation) else { return }
    guard try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id) == nil else { return }
    try RawStatement.run(db, "INSERT OR IGNORE INTO temp.known VALUES (?, ?)", id, conversation)
  }

  func noteBlock(_ scope: Int64, _ first: Int64, _ count: Int64) throws {
    guard (1...Checker.maxID).contains(scope), (0...Int64(OrdinalIndex.blockLimit)).contains(count)
    else {
      return
    }
    try RawStatement.run(db, "INSERT OR IGNORE INTO temp.counted VALUES (?, ?, ?)", scope, first, count)
  }

  func noteTotal(_ scope: Int64, inserted: Int64, deleted: Int64) throws {
    let (count, isWrong) = inserted.subtractingReportingOverflow(deleted)
    guard !isWrong, (1...Checker.maxID).contains(scope), (0...RawStatement.maxCount).contains(count)
    else { return }
    try RawStatement.run(db, "INSERT OR IGNORE INTO temp.total VALUES (?, ?)", scope, count)
  }

  func withRest<Value>(
    of message: SalvagedMessage, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws -> Value {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    guard message.isContinued else { return body(none) }
    let statement = try RawStatement(db, "SELECT text FROM body WHERE id = ?", message.id)
    defer { statement.reset() }
    return try statement.step() ? statement.withBytes(0, body) : body(none)
  }

  func time(of message: SalvagedMessage) throws -> Int64? {
    guard message.hasOwnTime else { return nil }
    return try RawStatement.number(db, "SELECT time FROM written WHERE message = ?", message.id)
  }

  func has(_ sql: String, _ id: Int64) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM \(sql) = ?", id) != nil
  }
}
