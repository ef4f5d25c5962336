internal import GRDB
package import MessageModel

/// The state of a store, for comparison with a copy on another computer.
package struct StoreState: Hashable, Sendable {
  /// A digest of the content without read marks. Equal digests mean equal content.
  package var digest: String
  /// The digests that the store shared with copies, the latest last.
  package var shared: [String]
  package var messageCount: Int

  package init(digest: String, shared: [String], messageCount: Int) {
    (self.digest, self.shared, self.messageCount) = (digest, shared, messageCount)
  }

  package enum Relation: Hashable, Sendable {
    /// Both are equal.
    case same
    /// The copy has changes since the store's state.
    case older
    /// The store has changes since the copy's state.
    case newer
    /// Both have changed, or they have no common origin.
    case apart
  }

  package func relation(to copy: StoreState) -> Relation {
    if digest == copy.digest { return .same }
    if copy.shared.contains(digest) { return .older }
    return shared.contains(copy.digest) ? .newer : .apart
  }
}

extension SynchronousMessageStore {
  private static let sharedStatesKey = "shared states"
  /// Enough for this many computers that are one sync behind.
  private static let mostSharedStates = 64

  /// - Complexity: O(conversations, senders, marks, people); no message is read.
  package func state() throws(StoreError) -> StoreState {
    try reading("cannot read the state of '\(path)'") { db in try Self.state(db) }
  }

  /// Records that a copy of the present state leaves for another computer.
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

  /// Queries whose rows make up a state: counters unique to a history, and data that changes none of them.
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
