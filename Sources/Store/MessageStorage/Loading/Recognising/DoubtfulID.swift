internal import GRDB
internal import MessageModel

/// An id that several messages may have, since no platform gave it or the file may not mean it so.
///
/// The first message that comes with it is kept under it. Others are kept under it with a number behind: one for their
/// conversation, where ids are counted in those, or one for all that they say.
struct DoubtfulID {
  let platform: String
  private let id: String
  private let entry: ImportBatch.Entry
  private let bytes: UnsafeRawBufferPointer
  /// The numbers of its conversation, where ids are counted in those; else `nil`.
  private let label: HistoryLabel?

  /// Creates the id of an entry; `nil` if its details have none that is doubtful.
  ///
  /// - Parameters:
  ///   - bytes: Those of its batch, which must be there for as long as this is.
  ///   - label: The numbers of its conversation.
  init?(
    of detail: ImportDetails?, _ entry: ImportBatch.Entry, _ bytes: UnsafeRawBufferPointer,
    label: HistoryLabel
  ) {
    guard let detail, detail.hasDoubtfulID, let source = detail.source, let id = source.id else { return nil }
    (platform, self.id) = (source.platform, id)
    (self.entry, self.bytes) = (entry, bytes)
    self.label = detail.hasLocalID ? label : nil
  }

  /// Whether a message of another conversation that has it is another.
  var isLocal: Bool { label != nil }

  /// The ids of what has it in this conversation, if that is not the first message of the id; none where ids are counted
  /// across conversations.
  private var inConversation: [String] { label?.numbers.map { Self.external(id, inConversation: $0) } ?? [] }

  /// Whether the message that is kept under the id itself is of another history, since this one's conversation was merged into
  /// another one.
  private var isMerged: Bool { label?.merged != nil }

  /// The id of what has it at this time and says this.
  private var whole: String {
    let time = entry.time.millisecondsSince1970.littleEndian
    var hash = label?.own ?? FNVHash.start
    hash = withUnsafeBytes(of: time) { FNVHash.of($0, after: hash) }
    hash = FNVHash.of(bytes.slice(of: entry.sender), after: hash)
    hash = withUnsafeBytes(of: UInt8.max) { FNVHash.of($0, after: hash) }
    return Self.numbered(id, FNVHash.of(bytes.slice(of: entry.text), after: hash))
  }

  /// The value that `whole` had before times counted.
  private var olderWhole: String { Self.numbered(id, FNVHash.of(bytes.slice(of: entry.text))) }

  /// Returns the id of what has a local id in a conversation of that label.
  static func external(_ id: String, inConversation label: UInt64) -> String { numbered(id, label) }

  private static func numbered(_ id: String, _ hash: UInt64) -> String {
    "\(id)#\(String(hash, radix: 36))"
  }

  /// Whether a number stands behind an id: a hash, of which nearly all have twelve digits or thirteen.
  static func isNumbered(_ external: String) -> Bool {
    guard let mark = external.utf8.lastIndex(of: UInt8(ascii: "#")) else { return false }
    let digits = external[mark...].dropFirst()
    return (8...13).contains(digits.utf8.count) && UInt64(digits, radix: 36) != nil
  }

  /// A message that it may be.
  struct Candidate {
    let id: Message.ID
    /// Whether the id that it is kept under tells its time, too.
    var tellsTime = false
    /// Whether it may be an edit of what is there: it is of the same history.
    var mayBeEdited = true
  }

  /// Returns the messages that it may be, the most likely first.
  ///
  /// - Parameter areNumbered: Whether any ids with numbers behind them may be there.
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

  /// Returns the id that a new message is kept under: the first that is free.
  ///
  /// - Parameter isInTime: Whether it lies within its time; of one that had to be put behind it, that cannot be compared.
  func free(in details: DetailLoader, isInTime: Bool) throws -> String {
    guard isInTime else { return whole }
    for candidate in (isMerged ? [] : [id]) + inConversation
    where try details.message(platform: platform, external: candidate) == nil {
      return candidate
    }
    return whole
  }

  /// Whether an id of a message is this one, without a number.
  func isBare(_ external: String?) -> Bool { external == id }

  /// Whether a message, also one that was deleted, was written when an entry was.
  static func isOfTime(_ id: Message.ID, _ entry: ImportBatch.Entry, in db: Database) throws -> Bool {
    let stored = try RawStatement.number(db, "SELECT precision FROM message WHERE id = ?", id.rawValue)
    let precision = stored.flatMap { TimePrecision(rawValue: Int($0)) } ?? entry.precision
    let coarser = precision.milliseconds > entry.precision.milliseconds ? precision : entry.precision
    let isOfTime = { (time: Timestamp) in time.rounded(to: coarser) == entry.time.rounded(to: coarser) }
    if isOfTime(try MessageTimes(db).time(of: id)) { return true }
    // One that has been moved was written at another time than it has now.
    let former = FormerIDs(db: db)
    return try former.areThere() && former.all(of: id).contains { isOfTime($0.placeTime) }
  }
}
