internal import GRDB
internal import MessageModel

/// The state of a bulk load from batch to batch. A value: a batch that fails leaves it as it was.
struct LoadState: Sendable {
  /// The imports that its messages are listed under.
  var origins: ImportOrigins
  /// The key of the hashes that tell duplicates.
  let hashKey: (UInt64, UInt64)
  var counts = BulkImport.Counts()

  /// The conversations that the load has met, and where each lies among them.
  var conversations: [ConversationState] = []
  var slots: [NameKey: Int32] = [:]
  var slotsByID: [Int64: Int32] = [:]
  /// The conversations that the present file has messages of.
  var touched: [Int] = []
  var senders = KnownSenders()
  /// The intervals of the present file that were seen lately.
  var intervals: [IntervalKey: IntervalState] = [:]
  /// Whether the present file has had a message yet.
  var isAtStartOfFile = true
  /// Whether it is known of any message with an id of another store which one it has here; a temporary table says it.
  var hasRemapped = false
  /// Whether any messages may be kept under doubtful ids with numbers behind them (``DoubtfulID``).
  var hasNumberedIDs: Bool
  /// What was read to recognise messages by.
  var known = KnownMessages()
  /// Ids that the load found taken where it wanted to have one.
  var taken = TakenIDs()
  /// Whether most of the conversations that the last batch wrote to were new, of a hundred at least.
  var isOfNew = false
  /// Whether any message was ever deleted from the store.
  let hasTombstones: Bool
  /// The numbers of conversations that were merged into others (``LocalIDs/merged()``).
  private(set) var merged: [UInt64: UInt64]
  /// The platforms of which it is noted that their ids are counted in conversations.
  var localPlatforms: Set<String> = []
  /// The greatest id in the store before the load.
  let newestAtStart: Int64
  /// The number of changes ever made to messages of the store when the load wrote last.
  private var changeCount: Int64?

  /// A key for a conversation as a history means it: a hash of 128 bits under the key of the store, which no two come to
  /// share. An export of all chats with an assistant has a hundred thousand of them, and their names would be most of the state.
  struct NameKey: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    init(_ conversation: ImportBatch.ConversationKey, _ key: (UInt64, UInt64)) {
      var (one, other) = (SipHash(key: key), SipHash(key: (key.1, ~key.0)))
      // Strings hold no byte 0xFF: a name is told from an identity, and where a platform ends.
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
    /// The latest time of which the store had a message of this conversation before the present file.
    var knownThrough: Int64
    /// The latest time that the present file has brought.
    var fileThrough: Int64
    /// The greatest id in the conversation.
    var newest: Int64
    /// The place among the conversations that the present batch adds messages to, if it is one of them.
    private var placeNumber: Int32 = 0
    /// Whether it is known to be between two people.
    var isDirect: Bool?
    /// Whether the present file has messages of it.
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
    /// The numbers of equal messages that the file had in the interval, by the hash of one, besides those of the first.
    private var others: [UInt64: Int] = [:]
    /// The messages of the store that the file had by ids of their own.
    var ownIDs: Set<Int64> = []
    /// The last message of the file in the interval.
    var last: Message.ID?

    /// Whether the file has had no message in it.
    var isFresh: Bool { firstCount == 0 && ownIDs.isEmpty }

    /// Counts a message that is recognised by what it says, and returns how many equal ones there were before.
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

  /// Files are mostly in order: what lies further back than so many intervals counts as another file.
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
    newestAtStart = try RawStatement.number(db, "SELECT max(id) FROM message") ?? .min
    try DetailLoader.makeTemporaryTables(db)
  }

  /// Notes the state that the load has left the store in.
  mutating func noteOwn(_ db: Database) throws {
    changeCount = try Self.changeCount(db)
    known.noteOwn(changeCount)
  }

  /// Looks whether others have written since: they may have brought the same messages, and merged, renamed or deleted
  /// conversations, which are looked for anew then.
  mutating func noteOthers(_ db: Database) throws {
    merged = try LocalIDs(db: db).merged()
    let present = try Self.changeCount(db)
    known.noteOthers(present)
    guard let changeCount, present != changeCount else { return }
    (conversations, touched, slots, slotsByID) = ([], [], [:], [:])
    hasNumberedIDs = true
  }

  private static func changeCount(_ db: Database) throws -> Int64? {
    try RawStatement.number(db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0")
  }

  /// Of more conversations those are forgotten that the present file has nothing of: they are looked up again.
  static let mostConversations = 8_192

  /// Forgets conversations if there are many, as of a folder of a hundred thousand sessions. Only between transactions: others move
  /// into their places.
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

  /// Forgets what holds for one file only.
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

/// The end of a file that is to go on: the messages that it had in its last intervals, so that further
/// ones of these are told from equal ones before them.
package struct FileTail: Sendable {
  let intervals: [LoadState.IntervalKey: LoadState.IntervalState]
  let known: KnownMessages

  /// So many intervals are remembered.
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

/// The key that a store has hashed its messages with since it was made.
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
