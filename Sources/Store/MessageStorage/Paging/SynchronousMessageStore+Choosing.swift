internal import GRDB
package import MessageModel

/// A slice of the conversations and other names to choose from.
package struct ConversationSlice: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    case conversation(Conversation)
    /// One of the other names, by its place among them.
    case other(Int)
  }

  /// The choices in their order.
  package var choices: [Choice]
  /// The number of all choices.
  package var total: Int

  package var conversations: [Conversation] {
    choices.compactMap { if case .conversation(let conversation) = $0 { conversation } else { nil } }
  }
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

  /// Returns a slice of the conversations and other names that a text may mean, the best first; of equal ones, and
  /// without a text: first those of `first` in that order, then all conversations by name, then other names.
  ///
  /// - Parameters:
  ///   - typed: The typed letters; empty for all conversations.
  ///   - first: The conversations that precede the others.
  ///   - others: Names of something else.
  ///   - places: The places of the slice in that order.
  /// - Complexity: O(bytes of all names), some hundredths of a second for a hundred thousand conversations, and a few
  ///   bytes of memory for each match; without a text O(conversations), and memory for the slice and `first`.
  package func conversations(
    naming typed: String, first: [Conversation.ID], others: [String] = [], places: Range<Int>
  ) throws(StoreError) -> ConversationSlice {
    try reading(
      "cannot list conversations of '\(path)'",
      archived: { try $0.conversations(naming: typed, first: first, others: others, places: places) }
    ) { db in
      let wanted = FuzzyName(typed)
      let (found, total) =
        wanted.isEmpty
        ? try Self.all(first, others, places, in: db)
        : try Self.matches(wanted, first, others, places, in: db)
      return ConversationSlice(choices: try found.compactMap { try Self.choice($0, in: db) }, total: total)
    }
  }

  /// Only conversations of the slice are read: those after it are counted.
  private static func all(
    _ first: [Conversation.ID], _ others: [String], _ places: Range<Int>, in db: Database
  ) throws -> (found: [RankedChoice], total: Int) {
    let known = Set(first.map(\.rawValue))
    var ids = first.prefix(places.upperBound).map(\.rawValue)
    let rest = try RawStatement(db, "SELECT id FROM conversation ORDER BY name")
    defer { rest.reset() }
    while ids.count < places.upperBound, try rest.step() {
      if !known.contains(rest.int(0)) { ids.append(rest.int(0)) }
    }
    let count = Int(try RawStatement.number(db, "SELECT count(*) FROM conversation") ?? 0)
    let choices = ids.map { RankedChoice(id: $0) } + others.indices.map { RankedChoice(other: $0) }
    return (Array(choices.dropFirst(places.lowerBound).prefix(places.count)), count + others.count)
  }

  private static func matches(
    _ wanted: FuzzyName, _ first: [Conversation.ID], _ others: [String], _ places: Range<Int>, in db: Database
  ) throws -> (found: [RankedChoice], total: Int) {
    let order = Dictionary(zip(first.map(\.rawValue), 0...)) { earlier, _ in earlier }
    var found: [RankedChoice] = []
    // Ranking a name costs less than looking for its letters in SQL.
    let rows = try RawStatement(db, "SELECT id, name FROM conversation ORDER BY name")
    defer { rows.reset() }
    var place = first.count
    while try rows.step() {
      guard let rank = wanted.rank(of: rows.text(1)) else { continue }
      found.append(RankedChoice(id: rows.int(0), rank: rank, place: order[rows.int(0)] ?? place))
      place += 1
    }
    for (index, name) in others.enumerated() {
      guard let rank = wanted.rank(of: name) else { continue }
      found.append(RankedChoice(other: index, rank: rank, place: place + index))
    }
    found.sort { $0.key < $1.key }
    return (Array(found.dropFirst(places.lowerBound).prefix(places.count)), found.count)
  }

  private static func choice(_ choice: RankedChoice, in db: Database) throws -> ConversationSlice.Choice? {
    if let other = choice.other { return .other(other) }
    return try conversation(Conversation.ID(rawValue: choice.id), in: db).map { .conversation($0) }
  }
}

/// A conversation or another name with its place among the matches.
struct RankedChoice {
  /// The conversation, or another name as a negative number.
  let id: Int64
  /// The rank, then the place among those of the same rank.
  let key: UInt64

  init(id: Int64, rank: UInt32 = 0, place: Int = 0) {
    self.id = id
    key = UInt64(rank) << 32 | UInt64(UInt32(clamping: place))
  }

  init(other: Int, rank: UInt32 = 0, place: Int = 0) {
    self.init(id: Int64(-1 - other), rank: rank, place: place)
  }

  var other: Int? { id < 0 ? Int(-1 - id) : nil }
}
