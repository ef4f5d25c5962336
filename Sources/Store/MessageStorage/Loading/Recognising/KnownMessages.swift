internal import GRDB
internal import MessageModel

/// The messages by which an import recognises repeated ones: their rows or, where these have changed, their
/// stored keys (``StoredKeys``).
///
/// A message is recognised by its conversation, its time as written, and a hash of its content. Equal ones
/// are counted: the second of a file is the second of the store. A stretch of each conversation stays in
/// memory until another process writes, so that a file in order of time reads each message once.
struct KnownMessages: Sendable {
  /// The store's count of changes of messages when this was read.
  private(set) var changeCount: Int64?
  private var stretches: [Int64: Stretch] = [:]
  /// The number of messages in memory, or more: those of a replaced stretch may still be counted.
  private var count = 0

  private struct Stretch: Sendable {
    let ids: ClosedRange<Int64>
    /// Sorted.
    var messages: [Known]
    /// Messages added since, in this order.
    var added: [IntervalHash: [Int64]] = [:]
    /// The times of those that are empty or only a bracketed name.
    let namedTimes: Set<Int64>

    func covers(_ interval: ClosedRange<Message.ID>) -> Bool {
      ids.lowerBound <= interval.lowerBound.rawValue && interval.upperBound.rawValue <= ids.upperBound
    }

    func places(of key: IntervalHash) -> Range<Int> {
      let first = messages.partitioningIndex { !($0.key < key) }
      return first..<messages[first...].partitioningIndex { key < $0.key }
    }
  }

  private struct Known: Comparable, Sendable {
    let key: IntervalHash
    let id: Int64

    static func < (a: Known, b: Known) -> Bool { a.key == b.key ? a.id < b.id : a.key < b.key }
  }

  private struct IntervalHash: Hashable, Comparable, Sendable {
    let time: Int64
    let hash: UInt64

    static func < (a: IntervalHash, b: IntervalHash) -> Bool { (a.time, a.hash) < (b.time, b.hash) }
  }

  /// The messages read ahead, once a file asks for one interval after the other.
  private static let mostAhead: Int64 = 128
  /// Beyond this number, a new stretch replaces all others.
  private static let mostKept = 1 << 17
  /// The most messages kept for a file that continues later.
  private static let mostKeptBetweenLoads = 4_096

  /// Returns the message of an interval with a hash, after `equals` equal ones.
  mutating func message(
    _ equals: Int, of hash: UInt64, in interval: LoadState.IntervalKey, _ reader: KnownMessageReader
  ) throws -> Message.ID? {
    let stretch = try stretch(of: interval, reader)
    let key = IntervalHash(time: interval.time, hash: hash)
    let places = stretch.places(of: key)
    if equals < places.count { return Message.ID(rawValue: stretch.messages[places.lowerBound + equals].id) }
    let added = stretch.added[key] ?? []
    return added.indices.contains(equals - places.count)
      ? Message.ID(rawValue: added[equals - places.count]) : nil
  }

  mutating func messages(
    of hash: UInt64, in interval: LoadState.IntervalKey, _ reader: KnownMessageReader
  ) throws -> [Message.ID] {
    let stretch = try stretch(of: interval, reader)
    let key = IntervalHash(time: interval.time, hash: hash)
    return (stretch.messages[stretch.places(of: key)].map(\.id) + (stretch.added[key] ?? []))
      .map(Message.ID.init(rawValue:))
  }

  /// Whether a message of an interval may be empty or only a bracketed name.
  mutating func hasNames(
    in interval: LoadState.IntervalKey, _ reader: KnownMessageReader
  ) throws -> Bool {
    try stretch(of: interval, reader).namedTimes.contains(interval.time)
  }

  private mutating func stretch(
    of interval: LoadState.IntervalKey, _ reader: KnownMessageReader
  ) throws -> Stretch {
    let ids = interval.ids
    let kept = stretches[interval.conversation]
    if let kept, kept.covers(ids) { return kept }
    // For a file that is not in order, reading ahead would be useless.
    let isNext = kept.map { $0.ids.upperBound < ids.lowerBound.rawValue } ?? false
    let range = try reader.range(from: ids, of: interval.conversation, ahead: isNext ? Self.mostAhead : 0)
    var messages: [Known] = []
    var namedTimes: Set<Int64> = []
    try reader.read(range, of: interval.conversation) { time, hash, id, isName in
      messages.append(Known(key: IntervalHash(time: time, hash: hash), id: id))
      if isName { namedTimes.insert(time) }
    }
    messages.sort()
    count += messages.count - (kept?.messages.count ?? 0)
    if count > Self.mostKept {
      stretches = [:]
      count = messages.count
    }
    let stretch = Stretch(ids: range, messages: messages, namedTimes: namedTimes)
    stretches[interval.conversation] = stretch
    return stretch
  }

  mutating func note(_ hash: UInt64, _ interval: LoadState.IntervalKey, _ id: Message.ID) {
    guard !stretches.isEmpty, stretches[interval.conversation]?.covers(interval.ids) == true else { return }
    let key = IntervalHash(time: interval.time, hash: hash)
    stretches[interval.conversation]?.added[key, default: []].append(id.rawValue)
    count += 1
  }

  mutating func noteOwn(_ changeCount: Int64?) { self.changeCount = changeCount }

  mutating func noteOthers(_ changeCount: Int64?) {
    if changeCount != self.changeCount { self = KnownMessages() }
  }

  var ofTail: KnownMessages { count > Self.mostKeptBetweenLoads ? KnownMessages() : self }
}

struct KnownMessageReader {
  let db: Database
  let hashKey: (UInt64, UInt64)

  func range(
    from interval: ClosedRange<Message.ID>, of conversation: Int64, ahead: Int64
  ) throws -> ClosedRange<Int64> {
    let (first, last) = (interval.lowerBound.rawValue, interval.upperBound.rawValue)
    guard ahead > 0 else { return first...last }
    let newest = try RawStatement.number(
      db,
      """
      SELECT max(id) FROM (SELECT id FROM message WHERE conversation = ? AND id >= ? ORDER BY id LIMIT ?)
      """, conversation, first, ahead)
    return first...max(last, newest ?? last)
  }

  /// Calls `body` with time as written, hash and id of each message of a range that an import would
  /// recognise, and whether its row is empty or only a bracketed name.
  ///
  /// - Complexity: O(messages of the range + their texts).
  func read(
    _ ids: ClosedRange<Int64>, of conversation: Int64, _ body: (Int64, UInt64, Int64, Bool) -> Void
  ) throws {
    try RawStatement(
      db,
      """
      SELECT id, sender, kind, precision, text, rest FROM recognised
        WHERE conversation = ? AND id BETWEEN ? AND ?
      """, conversation, ids.lowerBound, ids.upperBound
    ).each { row in
      let id = Message.ID(rawValue: row.int(0))
      let precision = TimePrecision(rawValue: Int(row.int(3))) ?? .millisecond
      body(
        id.placeTime.rounded(to: precision).millisecondsSince1970, MessageHash.of(row, from: 1, key: hashKey),
        id.rawValue, row.isNull(5) && row.withBytes(4) { BracketedName.isAll(of: $0) })
    }
    // A key without a message is ignored: the message was removed by undoing an import.
    try RawStatement(
      db,
      """
      SELECT time, hash, id FROM duplicate WHERE conversation = ? AND time BETWEEN ? AND ?
        AND (EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
          OR EXISTS (SELECT 1 FROM tombstone WHERE tombstone.id = duplicate.id))
      """, conversation, Message.ID(rawValue: ids.lowerBound).placeTime.millisecondsSince1970,
      Message.ID(rawValue: ids.upperBound).placeTime.millisecondsSince1970
    ).each { row in body(row.int(0), UInt64(bitPattern: row.int(1)), row.int(2), false) }
  }
}

extension LoadState.IntervalKey {
  var ids: ClosedRange<Message.ID> {
    Message.ID.range(of: Timestamp(millisecondsSince1970: time), precision: precision)
  }
}
