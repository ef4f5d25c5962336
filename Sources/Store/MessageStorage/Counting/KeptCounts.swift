internal import GRDB
internal import GRDBSQLite
internal import MessageModel
internal import Synchronization

/// A cache for ordinals over several scopes and lists of ids (``CountedIDs``), for one state of the store.
final class KeptCounts: Sendable {
  struct Sums: Sendable {
    private(set) var firsts: [Int64] = []
    /// The number of messages before each entry, and after the last one.
    private(set) var before = [0]

    var total: Int { before[firsts.count] }

    mutating func append(_ entry: Ordinals.Entry) {
      firsts.append(entry.first)
      before.append(before[before.count - 1].adding(entry.count))
    }

    func index(covering id: Int64) -> Int? {
      let next = firsts.partitioningIndex { $0 > id }
      return next > 0 ? next - 1 : nil
    }

    /// Returns the ids from the last entry whose first id satisfies `holds` up to the next entry.
    func narrowed(_ ids: ClosedRange<Int64>, where holds: (Int64) -> Bool) -> ClosedRange<Int64> {
      let start = firsts.partitioningIndex { $0 > ids.lowerBound }
      let end = firsts.partitioningIndex { $0 > ids.upperBound }
      let next = firsts[start..<end].partitioningIndex { !holds($0) }
      return ClosedRange(
        from: next > start ? firsts[next - 1] : ids.lowerBound,
        to: next < end ? firsts[next] - 1 : ids.upperBound)
    }

    func count(at index: Int) -> Int { before[index + 1] - before[index] }

    func span(at index: Int, last: Int64) -> ClosedRange<Int64> {
      ClosedRange(from: firsts[index], to: index + 1 < firsts.count ? firsts[index + 1].adding(-1) : last)
    }
  }

  struct Levels: Sendable {
    var upper: Sums
    var blocks: [Int: Sums] = [:]
    let marks: BlockMarks

    fileprivate var entryCount: Int { blocks.values.reduce(upper.firsts.count) { $0 + $1.firsts.count } }
  }

  private struct Key: Hashable {
    var scope: Int64
    var facets: String
    var isComplement: Bool

    init(_ ordinals: Ordinals) {
      (scope, facets, isComplement) = (ordinals.scope, ordinals.filter.list, ordinals.filter.isComplement)
    }
  }

  private struct Known {
    var version: Int64?
    /// Moves of read marks change no count.
    private var moveCount: Int64 = 0
    /// By connection: a new `data_version` means that others have committed.
    private var dataVersions: [Int: Int64] = [:]
    var levels: [Key: Levels] = [:]
    var lists: [Selection: CountedIDs] = [:]
    var entryCount = 0
    var room = BlockMarks.Room()

    /// Clears the cache for another state: other counters, or a commit that moved none, by a program that
    /// writes to a table without triggers. A connection that is new here may have missed one.
    mutating func see(
      _ version: Int64, moveCount: Int64, _ dataVersion: Int64, _ connection: OpaquePointer?
    ) {
      let key = Int(bitPattern: connection)
      if self.version != version || dataVersions[key] == nil || self.moveCount == moveCount { letGo(version) }
      dataVersions[key] = dataVersion
      self.moveCount = moveCount
    }

    func hasSeen(_ version: Int64, _ dataVersion: Int64, _ connection: OpaquePointer?) -> Bool {
      self.version == version && dataVersions[Int(bitPattern: connection)] == dataVersion
    }

    private mutating func letGo(_ version: Int64) {
      let seen = self.version == version ? (moveCount, dataVersions) : (0, [:])
      self = Known(version: version)
      (moveCount, dataVersions) = seen
    }

    /// Clears the cache for another state, or if `growth` more counts exceed ``limit``; it then has `whole`
    /// counts.
    mutating func makeRoom(for growth: Int, _ whole: Int, _ version: Int64) {
      if self.version != version || entryCount + growth > KeptCounts.limit {
        letGo(version)
        entryCount = whole
      } else {
        entryCount += growth
      }
    }
  }

  private let known = Mutex(Known())

  /// The most cached counts, of 16 bytes each; a single question may need more.
  static let limit = 1 << 17

  struct Reading {
    fileprivate let counts: KeptCounts
    fileprivate let version: Int64

    func levels(of ordinals: Ordinals) throws -> Levels {
      let key = Key(ordinals)
      if let known = counts.levels(key, version) { return known }
      var upper = Sums()
      try ordinals.forEachEntry(.superblocks, in: .min ... .max) { entry in
        upper.append(entry)
        return true
      }
      let levels = Levels(upper: upper, marks: BlockMarks(counts.room(version)))
      counts.keep(levels, key, version)
      return levels
    }

    func counted(_ selection: Selection) -> CountedIDs? { counts.counted(selection, version) }

    func keep(_ counted: CountedIDs, of selection: Selection) { counts.keep(counted, selection, version) }

    func refine(_ levels: inout Levels, at index: Int, of ordinals: Ordinals) throws -> Sums {
      if let known = levels.blocks[index] { return known }
      var blocks = Sums()
      try ordinals.forEachEntry(.blocks, in: levels.upper.span(at: index, last: .max)) { entry in
        blocks.append(entry)
        return true
      }
      levels.blocks[index] = blocks
      // A repair recounts blocks without another version, which makes the cached ones stale.
      if blocks.total == levels.upper.count(at: index) {
        counts.keep(levels, Key(ordinals), version)
      } else {
        counts.forget()
      }
      return blocks
    }
  }

  /// For one use, where counts may have changed without a new version.
  static var unshared: Reading { Reading(counts: KeptCounts(), version: 0) }

  /// Returns the cache for a connection's state. A transaction that writes uses an unshared one: it may be
  /// rolled back, and the next one would have the same version.
  func reading(in db: Database) throws -> Reading {
    guard sqlite3_txn_state(db.sqliteConnection, nil) != SQLITE_TXN_WRITE else {
      return Self.unshared
    }
    let version =
      try RawStatement.number(db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0") ?? 0
    let dataVersion = try RawStatement.number(db, "PRAGMA data_version") ?? 0
    let connection = db.sqliteConnection
    if known.withLock({ !$0.hasSeen(version, dataVersion, connection) }) {
      let moveCount = try ReadLog(in: db).count
      known.withLock { $0.see(version, moveCount: moveCount, dataVersion, connection) }
    }
    return Reading(counts: self, version: version)
  }

  var size: (lists: Int, entries: Int) { known.withLock { ($0.lists.count, $0.entryCount) } }

  func forget() { known.withLock { $0 = Known() } }

  private func room(_ version: Int64) -> BlockMarks.Room {
    known.withLock { $0.version == version ? $0.room : BlockMarks.Room() }
  }

  private func levels(_ key: Key, _ version: Int64) -> Levels? {
    known.withLock { $0.version == version ? $0.levels[key] : nil }
  }

  private func keep(_ levels: Levels, _ key: Key, _ version: Int64) {
    known.withLock { known in
      let growth = levels.entryCount - (known.levels[key]?.entryCount ?? 0)
      known.makeRoom(for: growth, levels.entryCount, version)
      known.levels[key] = levels
    }
  }

  private func counted(_ selection: Selection, _ version: Int64) -> CountedIDs? {
    known.withLock { $0.version == version ? $0.lists[selection] : nil }
  }

  private func keep(_ counted: CountedIDs, _ selection: Selection, _ version: Int64) {
    known.withLock { known in
      let size = selection.entryCount
      let growth = counted.entryCount + size - (known.lists[selection].map { $0.entryCount + size } ?? 0)
      known.makeRoom(for: growth, counted.entryCount + size, version)
      known.lists[selection] = counted
    }
  }
}

extension Selection {
  fileprivate var entryCount: Int { 8 + (conversations.set?.count ?? 0) + predicate.entryCount }
}

extension MessagePredicate {
  fileprivate var entryCount: Int {
    switch self {
    case .everything, .ids, .written, .has, .thread: 8
    case .kind(let kinds): 8 + kinds.count
    case .sender(let ids): 8 + ids.count
    case .conversation(let ids): 8 + ids.count
    case .file(let text), .forwarded(let text), .matching(let text), .regex(let text):
      8 + text.utf8.count / 16
    case .not(let inner): 8 + inner.entryCount
    case .and(let parts), .or(let parts): parts.reduce(8) { $0 + $1.entryCount }
    }
  }
}
