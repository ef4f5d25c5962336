internal import GRDB
package import MessageModel

/// A slice of the conversations to choose from.
package struct ConversationSlice: Hashable, Sendable {
  /// The conversations in their order.
  package var conversations: [Conversation]
  /// The number of all these conversations.
  package var total: Int
}

extension SynchronousMessageStore {
  /// Up to this number of conversations, the newest message of each is looked up.
  static let fewConversations = 1_000
  /// With more conversations, only this number of newest messages is examined.
  static let recentMessageCount = 20_000

  /// Returns the conversations with the newest messages, newest first, at most ``fewConversations``.
  ///
  /// In a store with more conversations, only those of the newest ``recentMessageCount`` messages are
  /// returned.
  package func recentConversations() throws(StoreError) -> [Conversation.ID] {
    try reading("cannot list conversations of '\(path)'", archived: { try $0.recentConversations() }) { db in
      let few = Int64(Self.fewConversations)
      let counting = "SELECT count(*) FROM (SELECT 1 FROM conversation LIMIT ?)"
      let isFew = try RawStatement.number(db, counting, few + 1) ?? 0 <= few
      let newest = isFew ? Self.newestOfEach : Self.newestOfAll
      let statement = try RawStatement(db, newest)
      if !isFew { statement.bind(Self.recentMessageCount, at: 1) }
      defer { statement.reset() }
      var found: [Conversation.ID] = []
      var known: Set<Int64> = []
      while found.count < Self.fewConversations, try statement.step() {
        if known.insert(statement.int(0)).inserted {
          found.append(Conversation.ID(rawValue: statement.int(0)))
        }
      }
      return found
    }
  }

  private static let newestOfEach = """
    SELECT id, (SELECT max(id) FROM message WHERE conversation = conversation.id) AS newest FROM conversation
    WHERE newest IS NOT NULL ORDER BY newest DESC
    """
  private static let newestOfAll = "SELECT conversation FROM message ORDER BY id DESC LIMIT ?1"

  /// Returns a slice of the conversations with words in their names, ignoring case: first those of `first` in
  /// that order, then all others by name.
  ///
  /// - Parameters:
  ///   - words: The typed words; empty for all conversations.
  ///   - first: The conversations that precede the others.
  ///   - places: The places of the slice in that order.
  /// - Complexity: O(bytes of all names), a hundredth of a second for a hundred thousand conversations, and
  ///   O(conversations) without words; memory for the slice and `first`.
  package func conversations(
    naming words: String, first: [Conversation.ID], places: Range<Int>
  ) throws(StoreError) -> ConversationSlice {
    try reading(
      "cannot list conversations of '\(path)'",
      archived: { try $0.conversations(naming: words, first: first, places: places) }
    ) { db in
      let wanted = NamePart(words)
      var wantedIDs: [Int64] = []
      var total = 0
      func take(_ id: Int64) {
        if places.contains(total) { wantedIDs.append(id) }
        total += 1
      }
      let one = try RawStatement(db, "SELECT id, name FROM conversation WHERE id = ?")
      for id in first {
        one.bind(id.rawValue)
        if try one.first({ row in row.withBytes(1) { wanted.isIn($0) } }) == true { take(id.rawValue) }
      }
      let known = Set(first.map(\.rawValue))
      let all = try wanted.rows(in: db)
      defer { all.reset() }
      // Without words, conversations after the slice are only counted.
      while !wanted.isEmpty || total < places.upperBound, try all.step() {
        if !known.contains(all.int(0)), all.withBytes(1, { wanted.isIn($0) }) { take(all.int(0)) }
      }
      if wanted.isEmpty { total = Int(try RawStatement.number(db, "SELECT count(*) FROM conversation") ?? 0) }
      let conversations = try wantedIDs.compactMap {
        try Self.conversation(Conversation.ID(rawValue: $0), in: db)
      }
      return ConversationSlice(conversations: conversations, total: total)
    }
  }
}

/// A part of a name, searched ignoring case.
private struct NamePart {
  private let words: String
  /// The words in lower case, if all letters are single bytes.
  private let bytes: [UInt8]?

  init(_ words: String) {
    self.words = words.lowercased()
    bytes = words.utf8.allSatisfy { $0 < 0x80 } ? Array(self.words.utf8) : nil
  }

  private static let maxPattern = 1_024

  var isEmpty: Bool { words.isEmpty }

  /// Returns ids and names of conversations by name; for ASCII words only the matching ones, since SQLite
  /// searches faster than one can step along all rows.
  func rows(in db: Database) throws -> RawStatement {
    guard let bytes, !isEmpty, bytes.count <= Self.maxPattern, !bytes.contains(0) else {
      return try RawStatement(db, "SELECT id, name FROM conversation ORDER BY name")
    }
    let escaped = words.reduce(into: "") { text, character in
      if "%_\\".contains(character) { text += "\\" }
      text.append(character)
    }
    let statement = try RawStatement(
      db, #"SELECT id, name FROM conversation WHERE name LIKE ?1 ESCAPE '\' ORDER BY name"#)
    statement.bind("%\(escaped)%", at: 1)
    return statement
  }

  func isIn(_ name: UnsafeRawBufferPointer) -> Bool {
    guard !words.isEmpty else { return true }
    guard let bytes else { return String(decoding: name, as: UTF8.self).lowercased().contains(words) }
    guard name.count >= bytes.count else { return false }
    return (0...name.count - bytes.count).contains { start in
      bytes.indices.allSatisfy { Self.small(name[start + $0]) == bytes[$0] }
    }
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
