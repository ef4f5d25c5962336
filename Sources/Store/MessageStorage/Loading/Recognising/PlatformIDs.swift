internal import GRDB
internal import MessageModel

/// The platforms' ids of messages: the tables `source` and `source_form`.
///
/// Ids are packed (``PackedID``) and not indexed. An id with a time is looked for among the first messages of
/// that time. Of other ids a hash finds candidates, and the unpacked ids in the view `source_text` decide.
/// The hash is keyed by the store's secret, so that outsiders cannot construct collisions.
final class PlatformIDs {
  private let db: Database
  private var key: (UInt64, UInt64)?
  private var lastForm: (platform: String, shape: PackedID.Shape, prefix: String, number: Int64)?

  init(db: Database) { self.db = db }

  /// Also finds deleted messages.
  func message(platform: String, external: String) throws -> Message.ID? {
    if let ids = TimedID(external)?.messages,
      let found = try RawStatement(
        db,
        """
        SELECT message FROM source_text WHERE message BETWEEN ? AND ? AND external = ? AND platform = ?
        """, ids.lowerBound, ids.upperBound, external, platform
      ).first({ $0.int(0) })
    {
      return Message.ID(rawValue: found)
    }
    // Most ids that are asked for are new, and have no candidate.
    let hash = try hash(platform, external)
    guard try RawStatement.number(db, "SELECT 1 FROM source WHERE hash = ? LIMIT 1", hash) != nil else {
      return nil
    }
    return try RawStatement(
      db, "SELECT message FROM source_text WHERE hash = ? AND external = ? AND platform = ?",
      hash, external, platform
    ).first { Message.ID(rawValue: $0.int(0)) }
  }

  func source(of id: Message.ID) throws -> Message.Source? {
    try RawStatement(db, Self.reading, id.rawValue).first(Self.source)
  }

  static let reading = "SELECT platform, external, original FROM source_text WHERE message = ?"

  static func source(in row: RawStatement) -> Message.Source {
    Message.Source(platform: row.text(0), id: row.optionalText(1), original: row.optionalText(2))
  }

  /// The message must not have a source.
  func insert(_ source: Message.Source, of id: Message.ID) throws {
    let packed = source.id.map { PackedID($0, of: id) } ?? .none
    let form = try form(source.platform, packed)
    let hash = try packed.isTimed ? nil : source.id.map { try self.hash(source.platform, $0) }
    try RawStatement(db, "INSERT INTO source VALUES (?, ?, ?, ?, ?)").run(binding: [
      .integer(id.rawValue), .integer(form), packed.value, hash.map { .integer($0) } ?? .null,
      source.original.map { .text(Array($0.utf8)) } ?? .null,
    ])
  }

  func replace(_ source: Message.Source, of id: Message.ID) throws {
    try remove(id)
    try insert(source, of: id)
  }

  func remove(_ id: Message.ID) throws {
    try RawStatement.run(db, "DELETE FROM source WHERE message = ?", id.rawValue)
  }

  private func form(_ platform: String, _ packed: PackedID) throws -> Int64 {
    if let last = lastForm, last.shape == packed.shape, last.prefix == packed.prefix,
      last.platform == platform
    {
      return last.number
    }
    let number = try storedForm(platform, packed)
    lastForm = (platform, packed.shape, packed.prefix, number)
    return number
  }

  private func storedForm(_ platform: String, _ packed: PackedID) throws -> Int64 {
    let find = try RawStatement(
      db, "SELECT id FROM source_form WHERE platform = ? AND shape = ? AND prefix = ?", platform,
      packed.shape.rawValue, packed.prefix)
    if let known = try find.first({ $0.int(0) }) { return known }
    try RawStatement.run(
      db, "INSERT INTO source_form(platform, shape, prefix) VALUES (?, ?, ?)", platform,
      packed.shape.rawValue, packed.prefix)
    return db.lastInsertedRowID
  }

  private func hash(_ platform: String, _ external: String) throws -> Int64 {
    guard let key = try self.key ?? HashKey(db).key else {
      throw StoreError(.damaged, "cannot look up a message", cause: "the store has lost its hash key")
    }
    self.key = key
    var hash = SipHash(key: key)
    for text in [platform, external] {
      var text = text
      text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
      // No text contains the byte 0xFF.
      hash.combine(UInt8.max)
    }
    return Int64(Int32(truncatingIfNeeded: hash.finish()))
  }

  enum Fault {
    /// Its source cannot be read.
    case unreadable
    /// Its id leads nowhere (`lost`), or to another message with the same id (`taken`).
    case lost, taken
  }

  func faults() throws -> [(id: Message.ID, fault: Fault)] {
    var faults: [(id: Message.ID, fault: Fault)] = []
    try RawStatement(
      db,
      """
      SELECT source.message, source_text.platform, source_text.external, source.external IS NOT NULL
        FROM source LEFT JOIN source_text ON source_text.message = source.message
      """
    ).each { row in
      let id = Message.ID(rawValue: row.int(0))
      guard !row.isNull(1), row.isNull(2) == (row.int(3) == 0) else {
        return faults.append((id, .unreadable))
      }
      guard let external = row.optionalText(2) else { return }
      let found = try message(platform: row.text(1), external: external)
      if found != id { faults.append((id, found == nil ? .lost : .taken)) }
    }
    return faults
  }

  /// Repairs the hash of a lost id; removes a row that is unreadable or whose id is taken.
  func mend(_ id: Message.ID, _ fault: Fault) throws {
    guard fault == .lost, let source = try source(of: id) else { return try remove(id) }
    try replace(source, of: id)
  }
}
