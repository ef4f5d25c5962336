internal import GRDB
internal import HistoryModel
package import MessageModel

/// The imports under which a load lists its messages: its own, or those of the whole store that it imports.
struct ImportOrigins: Sendable {
  let own: Int64
  private var listed: [ImportDetails.Origin: Int64] = [:]
  private(set) var ends: [End] = []
  /// Imports that this load brings messages of and that no load has finished.
  private var open: Set<Int64> = []
  var hasWrittenByHand = false

  struct End: Sendable {
    var batch: Int64
    var isFinished: Bool
    var fileCount: Int64?
    /// Whether an earlier load listed it, and perhaps finished it.
    var wasListed = false
  }

  init(own: Int64) { self.own = own }

  /// `nil` for messages written by hand and of unlisted imports.
  func batch(of origin: ImportDetails.Origin?) -> Int64? {
    guard let origin else { return own }
    return listed[origin]
  }

  /// Whether the load may have brought messages of an import, or those written by hand if it is `nil`.
  func includes(_ batch: Int64?) -> Bool {
    guard let batch else { return hasWrittenByHand }
    return batch == own || open.contains(batch)
  }

  func number(of number: Int64?, file: Int) -> Int64? {
    number.flatMap { listed[.listed(file: file, number: $0)] }
  }

  mutating func list(
    _ one: StoreSetting.Import, of file: Int, known: (batch: Int64, isFinished: Bool)?, in db: Database
  ) throws {
    let batch =
      try known?.batch
      ?? Self.insert(
        BulkImport.Description(name: one.name, format: one.format, zone: one.zone, options: one.options),
        at: one.time, in: db)
    listed[.listed(file: file, number: one.number)] = batch
    if known?.isFinished != true { open.insert(batch) }
    ends.append(
      End(
        batch: batch, isFinished: one.isFinished, fileCount: one.fileCount, wasListed: known != nil))
  }

  static func insert(
    _ description: BulkImport.Description, at time: Timestamp, as number: Int64? = nil, in db: Database
  ) throws -> Int64 {
    try RawStatement.run(
      db,
      """
      INSERT INTO batch(id, time, name, format, zone, options) VALUES (
        ifnull(?6, 1 + max(
          ifnull((SELECT max(id) FROM batch), 0),
          ifnull((SELECT value FROM meta WHERE key = 'last undone import'), 0))),
        ?1, ?2, ?3, ?4, ?5)
      """, time.millisecondsSince1970, description.name, description.format, description.zone,
      description.options, number)
    return db.lastInsertedRowID
  }
}

extension BulkImport {
  /// Lists the imports of another store whose messages follow. An import of the same time and name that is
  /// listed already is the same one. The load's own import is not listed until it brings a message.
  ///
  /// - Returns: The number of imports that were not listed before.
  package func list(_ imports: [(file: Int, one: StoreSetting.Import)]) throws(StoreError) -> Int {
    try loadCarry()
    let (count, isUnlisted) = try changingOrigins { origins, db in
      var known: [String: (batch: Int64, isFinished: Bool)] = [:]
      try RawStatement(db, "SELECT id, time, name, finished FROM batch").each { row in
        known["\(row.int(1)) \(row.text(2))"] = (row.int(0), row.int(3) != 0)
      }
      let keys = imports.map { "\($0.one.time.millisecondsSince1970) \(PathBytes.shown($0.one.name))" }
      for (key, (file, one)) in zip(keys, imports) {
        try origins.list(one, of: file, known: known[key], in: db)
      }
      let count = keys.count { known[$0] == nil }
      try RawStatement.run(db, "DELETE FROM batch WHERE id = ? AND added = 0", origins.own)
      guard db.changesCount > 0 else { return (count, false) }
      try RawStatement.run(db, SynchronousMessageStore.numberKeeping, origins.own)
      return (count, true)
    }
    isListed = isListed && !isUnlisted
    return count
  }

  func relist(for batch: ImportBatch) throws(StoreError) {
    guard !isListed, batch.entries.indices.contains(where: { batch.details[$0]?.origin == nil }) else {
      return
    }
    var description = description
    description.format = format
    try store.writing("cannot begin an import into '\(store.path)'") { [batchID, store] db in
      _ = try ImportOrigins.insert(description, at: store.clock(), as: batchID, in: db)
    }
    isListed = true
  }
}

extension SynchronousMessageStore {
  /// Returns the number of messages of a conversation that no import added: they were written here, and no
  /// import can restore them.
  ///
  /// - Complexity: O(messages of the conversation).
  package func countWrittenHere(in conversation: Conversation.ID) throws(StoreError) -> Int {
    try reading("cannot count the messages of conversation \(conversation.rawValue)") { db in
      return try RawStatement(
        db, "SELECT count(*) FROM message WHERE conversation = ? AND batch IS NULL", conversation.rawValue
      ).first { row in row.count(0) } ?? 0
    }
  }
}
