internal import GRDB
internal import HistoryModel
internal import MessageModel

/// The numbers appended to the local ids of a history's conversation (``DoubtfulID``).
struct HistoryLabel {
  let own: UInt64
  /// The number appended since its conversation was merged; ids without it belong to other histories.
  let merged: UInt64?

  static let none = HistoryLabel(own: 0, merged: nil)

  var numbers: [UInt64] {
    guard let merged, merged != own else { return [own] }
    return [merged, own]
  }
}

/// Ids that a history counts per conversation; after a merge, an appended number distinguishes them.
struct LocalIDs {
  let db: Database

  /// Keys in `meta` begin with it.
  private static let platformKey = "local ids of "
  /// As ``platformKey``, followed by a hashed name or identity.
  private static let mergedKey = "merged "
  /// Platforms with local ids that have no entry in `meta`.
  private static let platforms: Set = ["json-lines", "csv", "tsv"]

  func note(_ platform: String) throws {
    guard !Self.platforms.contains(platform) else { return }
    try RawStatement.run(db, "INSERT OR IGNORE INTO meta VALUES ('\(Self.platformKey)' || ?, 1)", platform)
  }

  private func areLocal(_ platform: String) throws -> Bool {
    try Self.platforms.contains(platform)
      || RawStatement(db, "SELECT 1 FROM meta WHERE key = '\(Self.platformKey)' || ?", platform)
        .first { $0.int(0) } != nil
  }

  /// Appends the conversation's number to the ids of messages that leave it, and of deleted ones up to
  /// `last`.
  func number(_ ids: [Message.ID], deletedUpTo last: Message.ID, of conversation: Int64) throws {
    let number = FNVHash.of(try name(of: conversation))
    let deleted = try RawStatement(
      db, "SELECT id FROM tombstone WHERE conversation = ? AND id <= ?", conversation, last.rawValue
    ).map { Message.ID(rawValue: $0.int(0)) }
    let sources = PlatformIDs(db: db)
    var known: [String: Bool] = [:]
    for id in ids + deleted {
      guard var source = try sources.source(of: id), let external = source.id,
        !DoubtfulID.isNumbered(external)
      else { continue }
      let isLocal = try known[source.platform] ?? areLocal(source.platform)
      known[source.platform] = isLocal
      let numbered = DoubtfulID.external(external, inConversation: number)
      guard isLocal, try sources.message(platform: source.platform, external: numbered) == nil else {
        continue
      }
      source.id = numbered
      try sources.replace(source, of: id)
    }
  }

  /// Records the number of a merged conversation for each of its names, former names and identities.
  func lead(_ conversation: Int64) throws {
    let number = FNVHash.of(try name(of: conversation))
    let names = try RawStatement(
      db,
      """
      SELECT name FROM conversation WHERE id = ?1 UNION ALL SELECT name FROM former_name WHERE conversation = ?1
      """, conversation
    ).map { ImportBatch.ConversationKey.name($0.text(0)) }
    let identities = try RawStatement(
      db, "SELECT platform, key FROM conversation_key WHERE conversation = ?", conversation
    ).map { ConversationIdentity(platform: $0.text(0), key: $0.text(1)) }
    for key in names + identities.compactMap({ $0.map { .identity($0) } }) {
      // A conversation merged into this one keeps its number.
      try RawStatement.run(
        db, "INSERT OR IGNORE INTO meta VALUES ('\(Self.mergedKey)' || ?, ?)", key.digits,
        Int64(bitPattern: number))
    }
  }

  func forget(_ name: String) throws {
    try RawStatement.run(
      db, "DELETE FROM meta WHERE key = '\(Self.mergedKey)' || ?",
      ImportBatch.ConversationKey.name(name).digits)
  }

  func merged() throws -> [UInt64: UInt64] {
    let rows = try RawStatement(
      db, "SELECT substr(key, \(Self.mergedKey.count + 1)), value FROM meta WHERE key >= ? AND key < ?",
      Self.mergedKey, "merged!")
    var numbers: [UInt64: UInt64] = [:]
    try rows.each { row in
      guard let key = UInt64(row.text(0), radix: 36) else { return }
      numbers[key] = UInt64(bitPattern: row.int(1))
    }
    return numbers
  }

  private func name(of conversation: Int64) throws -> String {
    try RawStatement(db, "SELECT name FROM conversation WHERE id = ?", conversation).first { $0.text(0) }
      ?? ""
  }
}

extension ImportBatch {
  /// A hash of a conversation's name in a history, the same in every store; histories may name it
  /// differently.
  func nameHash(ofConversation index: Int) -> UInt64 { FNVHash.of(conversations[index]) }
}

extension ImportBatch.ConversationKey {
  var hash: UInt64 {
    switch self {
    case .name(let name): FNVHash.of(name)
    // No text contains the byte 0xFF.
    case .identity(let identity):
      [identity.platform, identity.key].reduce(FNVHash.start) { hash, text in
        let hash = withUnsafeBytes(of: UInt8.max) { FNVHash.of($0, after: hash) }
        var text = text
        return text.withUTF8 { FNVHash.of(UnsafeRawBufferPointer($0), after: hash) }
      }
    }
  }

  fileprivate var digits: String { String(hash, radix: 36) }
}
