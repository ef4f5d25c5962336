internal import GRDB
internal import HistoryModel
internal import MessageModel

/// The state between batches. It is a value, so that a failed batch leaves it as it was.
struct LoadState: Sendable {
  var origins: ImportOrigins
  let hashKey: (UInt64, UInt64)
  var counts = BulkImport.Counts()

  var conversations: [ConversationState] = []
  var slots: [NameKey: Int32] = [:]
  var slotsByID: [Int64: Int32] = [:]
  var touched: [Int] = []
  var senders = KnownSenders()
  var intervals: [IntervalKey: IntervalState] = [:]
  var isAtStartOfFile = true
  var hasRemapped = false
  /// Whether the store may have numbered ids (``DoubtfulID``).
  var hasNumberedIDs: Bool
  var known = KnownMessages()
  var prompts: LoadedPrompts
  var taken = TakenIDs()
  var isOfNew = false
  let hasTombstones: Bool
  private(set) var merged: [UInt64: UInt64]
  var localPlatforms: Set<String> = []
  /// The last messages with doubtful ids that the import has as they are stored.
  private(set) var repeated: Set<Message.ID> = []
  let newestAtStart: Int64
  private var changeCount: Int64?

  /// A conversation's name or identity as a 128-bit hash under the store's key. An export may have a hundred
  /// thousand conversations, whose names would be most of the state.
  struct NameKey: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    init(_ conversation: ImportBatch.ConversationKey, _ key: (UInt64, UInt64)) {
      var (one, other) = (SipHash(key: key), SipHash(key: (key.1, ~key.0)))
      // No string contains the byte 0xFF: it separates a platform from a key, and marks a name.
      let texts =
        switch conversation {
        case .name(let name): [name]
        case .identity(let identity): [identity.platform, identity.key]
        }
      for var text in texts {
        text.withUTF8 { bytes in
          one.combine(UnsafeRawBufferPointer(bytes))
          other.combine(UnsafeRawBufferPointer(bytes))
        }
        one.combine(0xFF)
        other.combine(0xFF)
      }
      (first, second) = (one.finish(), other.finish())
    }
  }

  struct ConversationState: Sendable {
    let id: Int64
    var knownThrough: Int64
    var fileThrough: Int64
    var newest: Int64
    private var placeNumber: Int32 = 0
    var isDirect: Bool?
    var isTouched = false

    var place: Int {
      get { Int(placeNumber) }
      set { placeNumber = Int32(newValue) }
    }

    init(
      id: Int64, knownThrough: Int64, fileThrough: Int64, newest: Int64, isDirect: Bool?
    ) {
      (self.id, self.knownThrough, self.fileThrough) = (id, knownThrough, fileThrough)
      (self.newest, self.isDirect) = (newest, isDirect)
    }
  }

  struct IntervalKey: Hashable, Sendable {
    var conversation: Int64
    var time: Int64
    var precision: TimePrecision
  }

  struct IntervalState: Sendable {
    private var firstHash: UInt64 = 0
    private var firstCount = 0
    /// The number of equal messages in the file by hash, besides those equal to the first.
    private var others: [UInt64: Int] = [:]
    var ownIDs: Set<Int64> = []
    var last: Message.ID?

    var isFresh: Bool { firstCount == 0 && ownIDs.isEmpty }

    mutating func count(_ hash: UInt64) -> Int {
      if firstCount == 0 { firstHash = hash }
      if hash == firstHash {
        firstCount += 1
        return firstCount - 1
      }
      others[hash, default: 0] += 1
      return (others[hash] ?? 1) - 1
    }
  }

  private static let repeatedLimit = 4_096

  mutating func noteRepeated(_ id: Message.ID) {
    if repeated.count >= Self.repeatedLimit { repeated.removeAll() }
    repeated.insert(id)
  }

  /// Repetitions further back count as another file; files are mostly in order.
  static let intervalLimit = 2_048

  init(_ db: Database, batch: Int64) throws {
    origins = ImportOrigins(own: batch)
    guard let key = try HashKey(db).key else {
      throw StoreError(.damaged, "cannot import", cause: "the store has lost its hash key")
    }
    hashKey = key
    hasTombstones = try RawStatement.number(db, "SELECT EXISTS (SELECT 1 FROM tombstone)") == 1
    hasNumberedIDs = try RawStatement.number(db, "SELECT EXISTS (SELECT 1 FROM source)") == 1
    merged = try LocalIDs(db: db).merged()
    prompts = try LoadedPrompts(db)
    newestAtStart = try RawStatement.number(db, "SELECT max(id) FROM message") ?? .min
    try DetailLoader.makeTemporaryTables(db)
  }

  mutating func noteOwn(_ db: Database) throws {
    changeCount = try Self.changeCount(db)
    known.noteOwn(changeCount)
  }

  /// Checks for other writers, after whom messages and conversations must be looked up again.
  mutating func noteOthers(_ db: Database) throws {
    merged = try LocalIDs(db: db).merged()
    let present = try Self.changeCount(db)
    known.noteOthers(present)
    guard let changeCount, present != changeCount else { return }
    (conversations, touched, slots, slotsByID) = ([], [], [:], [:])
    hasNumberedIDs = true
    try prompts.noteOthers(db)
  }

  private static func changeCount(_ db: Database) throws -> Int64? {
    try RawStatement.number(db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0")
  }

  /// Beyond this number, conversations that are not in the current file are looked up again.
  static let mostConversations = 8_192

  /// Drops the state of conversations if there are many. Slots change: only between transactions.
  mutating func forgetMany() {
    guard conversations.count > Self.mostConversations, touched.count < conversations.count / 2 else {
      return
    }
    conversations = touched.map { conversations[$0] }
    touched = Array(conversations.indices)
    slots = [:]
    slotsByID = [:]
    for (slot, conversation) in conversations.enumerated() { slotsByID[conversation.id] = Int32(slot) }
  }

  mutating func endFile() {
    intervals.removeAll(keepingCapacity: true)
    isAtStartOfFile = true
    for slot in touched {
      conversations[slot].knownThrough = max(
        conversations[slot].knownThrough, conversations[slot].fileThrough)
      conversations[slot].isTouched = false
    }
    touched.removeAll(keepingCapacity: true)
  }
}

/// The messages in the last intervals of a file that will grow, to recognise further equal ones.
package struct FileTail: Sendable {
  let intervals: [LoadState.IntervalKey: LoadState.IntervalState]
  let known: KnownMessages

  private static let most = 256

  init(_ intervals: [LoadState.IntervalKey: LoadState.IntervalState], _ known: KnownMessages) {
    self.known = known.ofTail
    guard intervals.count > Self.most else {
      self.intervals = intervals
      return
    }
    let last = intervals.sorted { $0.key.time > $1.key.time }.prefix(Self.most)
    self.intervals = Dictionary(uniqueKeysWithValues: last.map { ($0.key, $0.value) })
  }
}

struct HashKey {
  let key: (UInt64, UInt64)?

  init(_ db: Database) throws {
    key =
      try RawStatement(db, "SELECT value FROM meta WHERE key = 'hash key'").first { row in
        row.withBytes(0) { bytes in
          guard bytes.count == 16 else { return nil }
          return (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
          )
        }
      } ?? nil
  }
}

struct KnownSenders: Sendable {
  private var plain: [UInt64: Entry] = [:]
  private var external: [ExternalKey: Int64] = [:]

  private struct Entry: Sendable {
    var name: [UInt8]
    var id: Int64
  }

  private struct ExternalKey: Hashable, Sendable {
    var name: String
    var external: String
  }

  private static let limit = 20_000

  mutating func id(
    _ name: UnsafeRawBufferPointer, hash: UInt64, external: String, make: (String) throws -> Int64
  ) rethrows -> Int64 {
    if !external.isEmpty { return try id(String(decoding: name, as: UTF8.self), external, make) }
    if let entry = plain[hash], entry.name.count == name.count,
      entry.name.withUnsafeBytes({ $0.elementsEqual(name) })
    {
      return entry.id
    }
    let id = try make(String(decoding: name, as: UTF8.self))
    if plain.count >= Self.limit { plain.removeAll() }
    plain[hash] = Entry(name: Array(name), id: id)
    return id
  }

  private mutating func id(
    _ name: String, _ external: String, _ make: (String) throws -> Int64
  ) rethrows -> Int64 {
    let key = ExternalKey(name: name, external: external)
    if let id = self.external[key] { return id }
    let id = try make(name)
    if self.external.count >= Self.limit { self.external.removeAll() }
    self.external[key] = id
    return id
  }
}
