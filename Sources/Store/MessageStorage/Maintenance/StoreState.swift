internal import GRDB
package import MessageModel

/// The state of a store, to be compared with that of a copy which went its own way on another computer.
package struct StoreState: Hashable, Sendable {
  /// A digest of what people have written and made in it; how far they have read is not part of it. Two copies of one digest
  /// hold the same.
  package var digest: String
  /// The digests that the store had when it was last the same as a copy, the latest last.
  package var shared: [String]
  /// The number of messages in it.
  package var messageCount: Int

  package init(digest: String, shared: [String], messageCount: Int) {
    (self.digest, self.shared, self.messageCount) = (digest, shared, messageCount)
  }

  /// The relation of a store to a copy of it.
  package enum Relation: Hashable, Sendable {
    /// Both hold the same.
    case same
    /// The copy went on from where the store is now.
    case older
    /// The store went on from where the copy is now.
    case newer
    /// Both went on, or they have no beginning in common.
    case apart
  }

  /// Returns what this state is to that of a copy.
  package func relation(to copy: StoreState) -> Relation {
    if digest == copy.digest { return .same }
    if copy.shared.contains(digest) { return .older }
    return shared.contains(copy.digest) ? .newer : .apart
  }
}

extension SynchronousMessageStore {
  private static let sharedStatesKey = "shared states"
  /// The most states that are remembered: as many computers may be behind by one meeting.
  private static let mostSharedStates = 64

  /// Returns the state of the store.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(conversations, senders, marks, people); no message is read.
  package func state() throws(StoreError) -> StoreState {
    try reading("cannot read the state of '\(path)'") { db in try Self.state(db) }
  }

  /// Notes that a copy of the store as it is now goes to another computer, and returns the state.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`.
  package func noteSharedState() throws(StoreError) -> StoreState {
    try writing("cannot note the state of '\(path)'") { db in
      var state = try Self.state(db)
      if state.shared.last != state.digest {
        state.shared = (state.shared + [state.digest]).suffix(Self.mostSharedStates)
        try RawStatement.run(
          db, "INSERT OR REPLACE INTO meta VALUES ('\(Self.sharedStatesKey)', ?)",
          state.shared.joined(separator: " "))
      }
      return state
    }
  }

  private static func state(_ db: Database) throws -> StoreState {
    var hash = ContentHash()
    for query in stateQueries {
      try RawStatement(db, query).each { row in
        row.withBytes(0) { bytes in hash.add(bytes) }
        withUnsafeBytes(of: UInt8(0)) { hash.add($0) }
      }
    }
    let shared = try RawStatement(db, "SELECT value FROM meta WHERE key = '\(sharedStatesKey)'").first {
      $0.text(0)
    }
    let count = try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = 0")
    return StoreState(
      digest: hash.key().description, shared: (shared ?? "").split(separator: " ").map(String.init),
      messageCount: Int(count ?? 0))
  }

  /// Queries of one column whose rows are all that a state is: the counters that no two histories have in common, and what
  /// moves none of them.
  private static var stateQueries: [String] {
    let meta = "SELECT hex(value) FROM meta WHERE key = 'hash key'"
    let counters = "SELECT inserted || ' ' || deleted || ' ' || changed FROM tally WHERE scope = 0"
    let last = """
      SELECT version || ' ' || conversation || ' ' || ifnull(message, '') || ' ' || kind FROM change
      ORDER BY version DESC LIMIT 1
      """
    return [meta, counters, last]
      + stateTables.map { table in
        let fields = table.columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
        return "SELECT \(fields) FROM \(table.name) ORDER BY 1"
      }
  }

  private static let stateTables: [(name: String, columns: [String])] = [
    ("conversation", ["id", "name"]), ("former_name", ["name", "conversation"]),
    ("sender", ["id", "name", "external", "alias_of"]), ("mark", ["name", "conversation", "message"]),
    ("filter", ["name", "words"]), ("person", ["id", "name"]),
    ("person_account", ["external", "name", "person"]), ("person_entry", ["id", "time", "undone"]),
    ("star", ["message", "time"]), ("conversation_payload", ["conversation", "data"]),
    ("payload", ["message", "state", "data"]), ("written", ["message", "time"]),
  ]
}
