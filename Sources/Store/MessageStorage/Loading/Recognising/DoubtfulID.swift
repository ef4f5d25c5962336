internal import GRDB
internal import HistoryModel
internal import MessageModel

/// An id that several messages may have: no platform assigned it, or the file counts it per conversation. The
/// first message keeps the id itself. Later ones append a hash: of their conversation if ids are local, else
/// of the whole message.
struct DoubtfulID {
  let platform: String
  private let id: String
  private let entry: ImportBatch.Entry
  private let bytes: UnsafeRawBufferPointer
  private let label: HistoryLabel?

  /// `bytes` are the batch's and must outlive this value.
  init?(
    of detail: ImportDetails?, _ entry: ImportBatch.Entry, _ bytes: UnsafeRawBufferPointer,
    label: HistoryLabel
  ) {
    guard let detail, detail.hasDoubtfulID, let source = detail.message.source, let id = source.id else {
      return nil
    }
    (platform, self.id) = (source.platform, id)
    (self.entry, self.bytes) = (entry, bytes)
    self.label = detail.hasLocalID ? label : nil
  }

  var isLocal: Bool { label != nil }

  private var inConversation: [String] { label?.numbers.map { Self.external(id, inConversation: $0) } ?? [] }

  /// Whether the bare id belongs to another history, since this conversation was merged into another one.
  private var isMerged: Bool { label?.merged != nil }

  /// The id with a hash of conversation, time, sender and text.
  private var whole: String {
    let time = entry.time.millisecondsSince1970.littleEndian
    var hash = label?.own ?? FNVHash.start
    hash = withUnsafeBytes(of: time) { FNVHash.of($0, after: hash) }
    hash = FNVHash.of(bytes.slice(of: entry.sender), after: hash)
    hash = withUnsafeBytes(of: UInt8.max) { FNVHash.of($0, after: hash) }
    return Self.numbered(id, FNVHash.of(bytes.slice(of: entry.text), after: hash))
  }

  /// The form of `whole` in stores whose hash covers the text alone.
  private var olderWhole: String { Self.numbered(id, FNVHash.of(bytes.slice(of: entry.text))) }

  static func external(_ id: String, inConversation label: UInt64) -> String { numbered(id, label) }

  private static func numbered(_ id: String, _ hash: UInt64) -> String {
    "\(id)#\(String(hash, radix: 36))"
  }

  static func isNumbered(_ external: String) -> Bool {
    guard let mark = external.utf8.lastIndex(of: UInt8(ascii: "#")) else { return false }
    let digits = external[mark...].dropFirst()
    return (8...13).contains(digits.utf8.count) && UInt64(digits, radix: 36) != nil
  }

  struct Candidate {
    let id: Message.ID
    /// Whether the id's hash covers the time.
    var tellsTime = false
    /// Whether it is of the same history, so that the entry may be an edit of it.
    var mayBeEdited = true
  }

  /// The likeliest first.
  func possible(in details: DetailLoader, areNumbered: Bool) throws -> [Candidate] {
    var found = isMerged ? [] : try candidates(id, in: details)
    if areNumbered {
      for external in inConversation { found += try candidates(external, in: details) }
      found += try candidates(whole, in: details, tellsTime: true)
      found += try candidates(olderWhole, in: details)
    }
    return isMerged ? found + (try candidates(id, in: details, mayBeEdited: false)) : found
  }

  private func candidates(
    _ external: String, in details: DetailLoader, tellsTime: Bool = false, mayBeEdited: Bool = true
  ) throws -> [Candidate] {
    guard let id = try details.message(platform: platform, external: external) else { return [] }
    return [Candidate(id: id, tellsTime: tellsTime, mayBeEdited: mayBeEdited)]
  }

  /// Returns the first free id for a new message. Outside of its time only the whole hash identifies it.
  func free(in details: DetailLoader, isInTime: Bool) throws -> String {
    guard isInTime else { return whole }
    for candidate in (isMerged ? [] : [id]) + inConversation
    where try details.message(platform: platform, external: candidate) == nil {
      return candidate
    }
    return whole
  }

  func isBare(_ external: String?) -> Bool { external == id }

  /// Whether a message, also a deleted one, was written at an entry's time, to the coarser precision of both.
  static func isOfTime(_ id: Message.ID, _ entry: ImportBatch.Entry, in db: Database) throws -> Bool {
    let stored = try RawStatement.number(db, "SELECT precision FROM message WHERE id = ?", id.rawValue)
    let precision = stored.flatMap { TimePrecision(rawValue: Int($0)) } ?? entry.precision
    let coarser = precision.milliseconds > entry.precision.milliseconds ? precision : entry.precision
    let isOfTime = { (time: Timestamp) in time.rounded(to: coarser) == entry.time.rounded(to: coarser) }
    if isOfTime(try MessageTimes(db).time(of: id)) { return true }
    // A message that was moved has a former time.
    let former = FormerIDs(db: db)
    return try former.areThere() && former.all(of: id).contains { isOfTime($0.placeTime) }
  }
}

/// A platform's id of which several conversations may each hold a copy. The first copy is kept under the id
/// itself, others with a number of their conversation appended. A conversation and its branches share one
/// copy: between exports a message may move from one to another.
struct CopiedID {
  private let source: Message.Source
  private let id: String
  private let home: ConversationIdentity

  init?(of detail: ImportDetails?) {
    guard let detail, let home = detail.copiedWithin, let source = detail.message.source, let id = source.id
    else {
      return nil
    }
    (self.source, self.id, self.home) = (source, id, home)
  }

  private var numbered: String { DoubtfulID.external(id, inConversation: FNVHash.of(home.key)) }

  func message(
    in details: DetailLoader, _ conversation: Int64, areNumbered: Bool
  ) throws -> Message.ID? {
    if let first = try details.message(platform: source.platform, external: id),
      let place = try details.conversation(of: first), try place == conversation || isHome(place, details.db)
    {
      return first
    }
    return areNumbered ? try details.message(platform: source.platform, external: numbered) : nil
  }

  func free(in details: DetailLoader) throws -> String {
    try details.message(platform: source.platform, external: id) == nil ? id : numbered
  }

  func isNumbered(_ external: String?) -> Bool { external != id }

  /// Whether a conversation is the copy's or a branch of it. One without a known key may be.
  private func isHome(_ conversation: Int64, _ db: Database) throws -> Bool {
    let keys = ConversationKeys(db: db)
    return try keys.isPart(conversation, of: home) || !keys.hasKey(of: home.platform, conversation)
  }
}
