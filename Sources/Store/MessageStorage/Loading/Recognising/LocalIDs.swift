internal import GRDB
internal import MessageModel

/// The numbers that stand behind the local ids of a history's conversation (``DoubtfulID``).
struct HistoryLabel {
  /// A hash of the name that the history has for the conversation.
  let own: UInt64
  /// The number that a merge has put behind its ids, if its conversation was merged into another one. Ids without a number are
  /// those of other histories then.
  let merged: UInt64?

  /// That of a message without details, which needs none.
  static let none = HistoryLabel(own: 0, merged: nil)

  /// The numbers, the one of new messages first.
  var numbers: [UInt64] {
    guard let merged, merged != own else { return [own] }
    return [merged, own]
  }
}

/// The ids that histories count in each of their conversations, and what becomes of them when conversations are merged: a number
/// behind each tells whose it is.
struct LocalIDs {
  let db: Database

  /// The key in `meta` of a platform whose ids are counted in conversations.
  private static let platformKey = "local ids of "
  /// The key in `meta` of the name or identity of a conversation that was merged into another one, as a hash.
  private static let mergedKey = "merged "
  /// The platforms whose ids were counted so before that was noted.
  private static let platforms: Set = ["json-lines", "csv", "tsv"]

  /// Notes that a platform's ids are counted in conversations.
  func note(_ platform: String) throws {
    guard !Self.platforms.contains(platform) else { return }
    try RawStatement.run(db, "INSERT OR IGNORE INTO meta VALUES ('\(Self.platformKey)' || ?, 1)", platform)
  }

  private func areLocal(_ platform: String) throws -> Bool {
    try Self.platforms.contains(platform)
      || RawStatement(db, "SELECT 1 FROM meta WHERE key = '\(Self.platformKey)' || ?", platform)
        .first { $0.int(0) } != nil
  }

  // MARK: Merges

  /// Puts the number of a conversation behind the ids of messages that leave it, also of those that were deleted.
  ///
  /// - Parameter last: The greatest id of a deleted one that leaves.
  /// - Complexity: O(messages).
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

  /// Remembers by which number the ids of a conversation go on that is merged into another one: by each name that it has or had, and
  /// by each identity.
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
      // One that was merged into this one has kept its number.
      try RawStatement.run(
        db, "INSERT OR IGNORE INTO meta VALUES ('\(Self.mergedKey)' || ?, ?)", key.digits,
        Int64(bitPattern: number))
    }
  }

  /// Forgets that a conversation of a name was merged, which another one has now.
  func forget(_ name: String) throws {
    try RawStatement.run(
      db, "DELETE FROM meta WHERE key = '\(Self.mergedKey)' || ?",
      ImportBatch.ConversationKey.name(name).digits)
  }

  /// Returns the numbers of merged conversations, by the hashes of their names and identities.
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
  /// A hash of the name that a history has for a conversation, the same in every store. Two histories may mean one conversation.
  func nameHash(ofConversation index: Int) -> UInt64 { FNVHash.of(conversations[index]) }
}

extension ImportBatch.ConversationKey {
  /// A hash, the same in every store.
  var hash: UInt64 {
    switch self {
    case .name(let name): FNVHash.of(name)
    // No text has a byte 0xFF.
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
