/// Where reading starts in a selection.
public enum PageAnchor: Hashable, Sendable {
  /// The newest end.
  case newest
  /// The oldest end.
  case oldest
  /// The messages directly older than this id, which need not exist.
  case before(Message.ID)
  /// The messages directly newer than this id, which need not exist.
  case after(Message.ID)
  /// The message that has, or had, this id, and those on both sides of it. If it does not exist, its next
  /// older neighbour stands in or, without one, its next newer one.
  case around(Message.ID)
  /// Around the first message at or after this moment: `exact`, even if it is much later. If there is none,
  /// around the last message before the moment: `nearestOlder`.
  case time(Timestamp)
  /// Around the message with this ordinal: 0 is the oldest of the selection. Beyond an end, the nearest
  /// message stands in: `clamped`.
  case ordinal(Int)
  /// Around the message at this percentage of the way from the oldest (0) to the newest (100), rounded to the
  /// nearest ordinal. Beyond an end, the nearest message stands in: `clamped`.
  case percent(Double)
  /// Around the first message after the conversation's read mark, or the oldest one without a mark: `exact`.
  /// Without unread messages, and in several conversations, the same as ``newest``.
  case firstUnread

  /// Whether pages extend to both sides of it.
  package var isAround: Bool {
    switch self {
    case .newest, .oldest, .before, .after: false
    default: true
    }
  }
}

/// A request for a page of messages from a ``MessageSource``.
///
/// The names are those of Core Data's fetch requests. Unlike there, `fetchLimit` still applies after changes,
/// and an offset takes the same time at any depth.
public struct PageRequest: Hashable, Sendable {
  /// The order of the messages in a page.
  public enum Order: String, Hashable, Sendable, CaseIterable, Codable {
    /// The oldest message first.
    case oldestFirst
    /// The newest message first.
    case newestFirst
  }

  /// The selection to read from.
  public var selection: Selection
  /// The order of the messages in the page. It does not affect which messages are next to an anchor.
  public var order: Order
  /// Where reading starts.
  public var anchor: PageAnchor
  /// The most messages to return; 0 for counts and flags alone. A negative limit is an error
  /// (`invalidRequest`).
  public var fetchLimit: Int
  /// The number of messages to skip first, in the same time for any depth. From an anchor at an end or beside
  /// an id, messages are skipped in the direction of reading (`newest` skips the newest ones). An anchor with
  /// both sides is moved by this number of messages in `order`. A negative offset is an error
  /// (`invalidRequest`).
  ///
  /// Beyond the end, an anchor at an end or beside an id returns an empty page with the resolution `exact`.
  /// An anchor with both sides moves to the last message in that direction: `clamped`. An anchor that was
  /// moved to a message has the resolution `exact` with that message, even if the anchor's own message was
  /// replaced by a neighbour.
  public var fetchOffset: Int
  /// For an anchor with both sides, the number of messages older than it; `nil` for half of the limit. If one
  /// side has too few messages, the page has more from the other side. With a limit of 1 or more, the page
  /// always contains the anchor's message: the share is then at most the limit minus 1.
  public var olderShare: Int?
  /// Whether to return ordinals and totals. Pass `false` if they are known already, to save their cost.
  public var wantsCounts: Bool
  /// Whether messages include the app's payloads (``Message/payload``), in sources that have any.
  public var wantsPayloads: Bool

  /// Whether ``PageAnchor/around(_:)`` follows a message that was moved from this id to another one. If
  /// `false`, a moved message counts as missing and a neighbour replaces it, so that a list that reloads
  /// stays at its position.
  public var followsMoves = true
  /// Whether a page ends at the gaps of its conversation (``MessageGap``), which are then in
  /// ``Page/olderGap`` and ``Page/newerGap``. Otherwise it continues with the next local message.
  ///
  /// Selections of several conversations have no gaps, since each gap contains messages of the others.
  public var stopsAtGaps = false

  /// Creates a request.
  public init(
    _ selection: Selection, order: Order = .oldestFirst, anchor: PageAnchor = .newest, fetchLimit: Int = 50,
    fetchOffset: Int = 0, olderShare: Int? = nil, wantsCounts: Bool = true, wantsPayloads: Bool = false
  ) {
    self.selection = selection
    self.order = order
    self.anchor = anchor
    self.fetchLimit = fetchLimit
    self.fetchOffset = fetchOffset
    self.olderShare = olderShare
    self.wantsCounts = wantsCounts
    self.wantsPayloads = wantsPayloads
  }

  package func checkCounts() throws(StoreError) {
    guard fetchLimit >= 0, fetchOffset >= 0 else {
      throw StoreError(
        .invalidRequest, "cannot read a page", cause: "a limit or an offset is negative",
        remedy: "0 or more for both")
    }
  }
}

/// A page of messages: neighbours in a selection, with their position in it.
///
/// All of it is read in one transaction, so that flags, counts and messages are consistent.
public struct Page: Hashable, Sendable {
  /// The messages in the requested order. No message of the selection between them is missing.
  public var messages: [Message]
  /// Whether the source has older messages of the selection. Exact at ``version``.
  public var hasOlder: Bool
  /// Whether the source has newer messages of the selection. Exact at ``version``.
  public var hasNewer: Bool
  /// The gap directly beyond the oldest message, if the request stops at gaps. In an empty page, the gap at
  /// the anchor.
  public var olderGap: MessageGap?
  /// The gap directly beyond the newest message, as ``olderGap``.
  public var newerGap: MessageGap?
  /// The page's position in the selection, if the request wants counts.
  public var counts: Counts?
  /// How the anchor was found, and its message.
  public var resolution: Resolution
  /// The state of the selection's conversations: pages of equal versions have equal messages. Do not use it
  /// to ask for the changes since then.
  public var version: SourceVersion
  /// The anchor to continue from, if reading stopped at its limit of work before the requested number of
  /// messages or an end.
  public var nextAnchor: PageAnchor?
  /// The user's senders, whose messages are never news; empty in sources that do not know the user.
  package var own: Set<Sender.ID> = []

  /// Creates a page.
  public init(
    messages: [Message], hasOlder: Bool, hasNewer: Bool, counts: Counts? = nil,
    resolution: Resolution = Resolution(.exact), version: SourceVersion = SourceVersion(),
    nextAnchor: PageAnchor? = nil
  ) {
    self.messages = messages
    self.hasOlder = hasOlder
    self.hasNewer = hasNewer
    self.counts = counts
    self.resolution = resolution
    self.version = version
    self.nextAnchor = nextAnchor
  }

  /// Ordinals and totals of a page.
  public struct Counts: Hashable, Sendable {
    /// The number of messages of the selection that are older than the page's oldest (or the anchor, for an
    /// empty page).
    public var firstOrdinal: Int
    /// The number of messages in the selection.
    public var total: Int
    /// Whether both are exact. Estimates must be shown as such.
    public var isExact: Bool
    /// Whether all messages were counted. Otherwise the conversations have gaps (``MessageGap``), and both
    /// numbers are those of the local messages.
    public var isComplete = true

    /// Creates counts.
    public init(firstOrdinal: Int, total: Int, isExact: Bool = true, isComplete: Bool = true) {
      self.firstOrdinal = firstOrdinal
      self.total = total
      self.isExact = isExact
      self.isComplete = isComplete
    }
  }

  /// How an anchor was found, and its message.
  public struct Resolution: Hashable, Sendable {
    /// How the message found relates to the one asked for.
    public enum Match: String, Hashable, Sendable, Codable {
      /// The message asked for, or the anchor needs no message.
      case exact
      /// The message does not exist; its next older neighbour stands in.
      case nearestOlder
      /// The message does not exist, nor does an older one; its next newer neighbour stands in.
      case nearestNewer
      /// The ordinal or percentage was out of range; the message at the end stands in.
      case clamped
      /// The anchor is, or may be, in a gap (``MessageGap``); a message beside the gap stands in.
      case beyondGap
      /// The selection is empty.
      case nothing
    }

    /// How the anchor was found.
    public var match: Match
    /// The anchor's message; `nil` for anchors that need none.
    public var message: Message.ID?

    /// Creates a resolution.
    public init(_ match: Match, message: Message.ID? = nil) {
      self.match = match
      self.message = message
    }
  }
}

/// A state of a source, by the number of its changes so far.
///
/// The counters only grow. They count the changes in all conversations of the selection, whatever its filter:
/// subtract two versions to get the numbers of insertions, deletions and changes between them. Equal versions
/// mean equal content.
public struct SourceVersion: Hashable, Sendable, Codable {
  /// The number of messages that were ever inserted.
  package var inserted: Int
  /// The number of messages that were deleted.
  package var deleted: Int
  /// The number of changes of existing messages.
  package var changed: Int
  /// Identifies the store and, if a backup was restored, its branch of history; `nil` in the versions of
  /// pages. Comparisons ignore it.
  package var origin: UInt64?

  /// Creates a version.
  public init(inserted: Int = 0, deleted: Int = 0, changed: Int = 0) {
    self.inserted = inserted
    self.deleted = deleted
    self.changed = changed
  }

  /// Compares the counters alone.
  public static func == (a: SourceVersion, b: SourceVersion) -> Bool {
    a.inserted == b.inserted && a.deleted == b.deleted && a.changed == b.changed
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(inserted)
    hasher.combine(deleted)
    hasher.combine(changed)
  }
}

extension SourceVersion: LosslessStringConvertible {
  /// Parses ``description``; `nil` if it is invalid.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let inserted = Int(parts[0]), let deleted = Int(parts[1]),
      let changed = Int(parts[2])
    else { return nil }
    self.init(inserted: inserted, deleted: deleted, changed: changed)
    guard parts[3] != "-" else { return }
    guard let origin = UInt64(parts[3], radix: 16) else { return nil }
    self.origin = origin
  }

  /// The version as text for clients to return, with its origin: `5003.1.2.9f2c41`.
  public var description: String {
    "\(inserted).\(deleted).\(changed).\(origin.map { String($0, radix: 16) } ?? "-")"
  }
}

extension PageAnchor {
  /// Returns the ordinal at a percentage of the way from the oldest message (0) to the newest (100).
  ///
  /// All sources use this rule: the nearest ordinal, clamped to the ends; NaN is the oldest.
  package static func ordinal(atPercent percent: Double, of total: Int) -> Int {
    guard total > 1, percent > 0 else { return 0 }
    return Int((min(percent, 100) / 100 * Double(total - 1)).rounded())
  }
}
