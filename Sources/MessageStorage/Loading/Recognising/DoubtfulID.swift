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
  /// A hash of the name that the history has for the conversation, where ids are counted in those; else `nil`.
  private let label: UInt64?

  /// Creates the id of an entry; `nil` if its details have none that is doubtful.
  ///
  /// - Parameters:
  ///   - bytes: Those of its batch, which must be there for as long as this is.
  ///   - label: A hash of the name that the history has for its conversation.
  init?(of detail: ImportDetails?, _ entry: ImportBatch.Entry, _ bytes: UnsafeRawBufferPointer, label: UInt64)
  {
    guard let detail, detail.hasDoubtfulID, let source = detail.source, let id = source.id else { return nil }
    (platform, self.id) = (source.platform, id)
    (self.entry, self.bytes) = (entry, bytes)
    self.label = detail.hasLocalID ? label : nil
  }

  /// Whether a message of another conversation that has it is another.
  var isLocal: Bool { label != nil }

  /// The id of what has it in this conversation, if that is not the first message of the id; `nil` where ids are counted
  /// across conversations.
  private var inConversation: String? { label.map { Self.external(id, inConversation: $0) } }

  /// The id of what has it at this time and says this.
  private var whole: String {
    let time = entry.time.millisecondsSince1970.littleEndian
    var hash = label ?? FNVHash.start
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

  /// Returns the messages that it may be, the most likely first, and of each whether its id tells the time, too.
  ///
  /// - Parameter areNumbered: Whether any ids with numbers behind them may be there.
  func possible(in details: DetailLoader, areNumbered: Bool) throws -> [(id: Message.ID, tellsTime: Bool)] {
    var externals: [(external: String?, tellsTime: Bool)] = [(id, false)]
    if areNumbered { externals += [(inConversation, false), (whole, true), (olderWhole, false)] }
    return try externals.compactMap { external, tellsTime in
      let found = try external.flatMap { try details.message(platform: platform, external: $0) }
      return found.map { ($0, tellsTime) }
    }
  }

  /// Returns the id that a new message is kept under: the first that is free.
  ///
  /// - Parameter isInTime: Whether it lies within its time; of one that had to be put behind it, that cannot be compared.
  func free(in details: DetailLoader, isInTime: Bool) throws -> String {
    guard isInTime else { return whole }
    for candidate in [id, inConversation].compactMap({ $0 })
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
    let isOfTime = { (id: Message.ID) in id.time.rounded(to: coarser) == entry.time.rounded(to: coarser) }
    if isOfTime(id) { return true }
    // One that has been moved was written at another time than it has now.
    let former = FormerIDs(db: db)
    return try former.areThere() && former.all(of: id).contains(where: isOfTime)
  }
}
