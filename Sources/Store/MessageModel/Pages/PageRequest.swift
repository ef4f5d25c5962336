/// A place in a selection from which reading starts.
public enum PageAnchor: Hashable, Sendable {
  /// At the newest end.
  case newest
  /// At the oldest end.
  case oldest
  /// The messages older than this id, next to it. The id need not exist.
  case before(Message.ID)
  /// The messages newer than this id, next to it. The id need not exist.
  case after(Message.ID)
  /// The message with this id, or one that had it before it was moved, and those on both sides of it. If it is not there, its nearest neighbour stands in:
  /// the next older one or, if there is none, the next newer one.
  case around(Message.ID)
  /// Around the first message at or after this moment, which is resolved as `exact` whatever its time, else the last before
  /// it: `nearestOlder`.
  case time(Timestamp)
  /// Around the message with this ordinal: 0 is the oldest of the selection. One that there is not is moved to the nearer
  /// end: `clamped`.
  case ordinal(Int)
  /// Around the message at this part of the way from the oldest (0) to the newest (100), by
  /// ``ordinal(atPercent:of:)``: the nearest ordinal, not the one below. What lies outside is moved to the nearer end:
  /// `clamped`.
  case percent(Double)
  /// Around the first message after the read mark of the conversation, or the oldest if nothing of it was read: `exact`. If
  /// there is none, and in a selection of several conversations, the same as ``newest``.
  case firstUnread

  /// Whether pages from it reach out to both sides.
  public var isAround: Bool {
    switch self {
    case .newest, .oldest, .before, .after: false
    default: true
    }
  }
}

/// A request for a page of messages, put to a ``MessageSource``.
///
/// The names are those of Apple's fetch requests. Unlike there, `fetchLimit` holds after every change, and an offset
/// costs the same at any depth.
public struct PageRequest: Hashable, Sendable {
  /// The order of the messages in a page.
  public enum Order: String, Hashable, Sendable, CaseIterable, Codable {
    /// The oldest message first.
    case oldestFirst
    /// The newest message first.
    case newestFirst
  }

  /// The messages among which to read.
  public var selection: Selection
  /// The order of the messages in the page. Which messages lie next to an anchor does not depend on it.
  public var order: Order
  /// The place where reading starts.
  public var anchor: PageAnchor
  /// The most messages to answer; 0 asks for counts and flags alone. A negative limit is refused (`invalidRequest`).
  public var fetchLimit: Int
  /// The number of messages to skip first, at the same cost for any depth. From an anchor at an end or beside an id
  /// they are skipped in the direction it reads (`newest` skips the newest ones); an anchor that reaches out to both
  /// sides is moved by so many messages in `order`. A negative offset is refused (`invalidRequest`).
  ///
  /// Beyond the end, an anchor at an end or beside an id answers an empty page, which is resolved as `exact`; one that
  /// reaches out to both sides is moved to the last message there is that way: `clamped`. One that was moved to a message is
  /// resolved as `exact` with that message, whatever stood in for what was asked.
  public var fetchOffset: Int
  /// The number of messages to take from before an anchor that reaches out to both sides, if they are there; `nil`
  /// takes half of the limit. What one side lacks, the other side gives. The message that the anchor leads to is always in
  /// the page if the limit is 1 or more: a share as large as the limit counts as one less.
  public var olderShare: Int?
  /// Whether the page is to have ordinals and totals. A reader that knows them already saves their cost.
  public var wantsCounts: Bool
  /// Whether the messages are to have what an app keeps with them (``Message/payload``). A source that keeps nothing gives none.
  public var wantsPayloads: Bool

  /// Whether ``PageAnchor/around(_:)`` leads to where a message is that was moved and had this id. A list that is read again where
  /// it stands asks for the neighbours instead, as of a message that is gone.
  public var followsMoves = true
  /// Whether a page ends at the gaps of its conversation (``MessageGap``), which it has in ``Page/olderGap`` and
  /// ``Page/newerGap`` then; otherwise it goes on with the next message that is here.
  ///
  /// A selection of several conversations has no gaps: each is full of what the others have.
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

  /// Refuses a negative limit or offset.
  package func checkCounts() throws(StoreError) {
    guard fetchLimit >= 0, fetchOffset >= 0 else {
      throw StoreError(
        .invalidRequest, "cannot read a page", cause: "a limit or an offset is negative",
        remedy: "0 or more for both")
    }
  }
}

/// A page of messages: neighbours in a selection, and their place in it.
///
/// All of it is read in one transaction, so flags, counts and messages agree with each other.
public struct Page: Hashable, Sendable {
  /// The messages, in the order of the request, without a hole in what the source has.
  public var messages: [Message]
  /// Whether the source has messages of the selection that are older than these. Exact at ``version``.
  public var hasOlder: Bool
  /// Whether the source has messages of the selection that are newer than these. Exact at ``version``.
  public var hasNewer: Bool
  /// The gap directly beyond the oldest message, where the request stops at gaps. An empty page has one where it would have been
  /// read over.
  public var olderGap: MessageGap?
  /// The gap directly beyond the newest message, as ``olderGap``.
  public var newerGap: MessageGap?
  /// The place of these messages among all of the selection; `nil` if the request did not want it.
  public var counts: Counts?
  /// The message that the anchor led to, and how.
  public var resolution: Resolution
  /// The state that the conversations of the selection were in: pages of equal versions hold equal messages. No version to ask
  /// for changes from.
  public var version: SourceVersion
  /// The anchor with which to go on, if reading stopped because its budget of work was used up, before the limit or an
  /// end was reached; else `nil`.
  public var nextAnchor: PageAnchor?

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
    /// The number of messages of the selection that are older than the oldest of the page (or than the anchor, if the
    /// page is empty).
    public var firstOrdinal: Int
    /// The number of messages in the selection.
    public var total: Int
    /// Whether both are exact; otherwise they are estimates and must be shown as such.
    public var isExact: Bool
    /// Whether all there is was counted; otherwise the conversations have gaps (``MessageGap``), and both numbers are of what is
    /// here.
    public var isComplete = true

    /// Creates counts.
    public init(firstOrdinal: Int, total: Int, isExact: Bool = true, isComplete: Bool = true) {
      self.firstOrdinal = firstOrdinal
      self.total = total
      self.isExact = isExact
      self.isComplete = isComplete
    }
  }

  /// The message that an anchor led to, and how.
  public struct Resolution: Hashable, Sendable {
    /// The relation of the message that was found to the one asked for.
    public enum Match: String, Hashable, Sendable, Codable {
      /// It is the one asked for, or the anchor needs no message.
      case exact
      /// It was not there (any more); its next older neighbour stands in.
      case nearestOlder
      /// It was not there (any more), nor anything older; its next newer neighbour stands in.
      case nearestNewer
      /// The ordinal or percentage lay outside and was moved to the end.
      case clamped
      /// A place that lies in a gap, or may lie there (``MessageGap``); a neighbour of the gap stands in.
      case beyondGap
      /// The selection holds nothing, whatever the anchor.
      case nothing
    }

    /// The way in which the anchor was met.
    public var match: Match
    /// The message that the anchor stands for; `nil` for anchors that need none.
    public var message: Message.ID?

    /// Creates a resolution.
    public init(_ match: Match, message: Message.ID? = nil) {
      self.match = match
      self.message = message
    }
  }
}

/// A state of a source, by what has happened in it so far.
///
/// The counters only grow, and belong to the conversations of the selection (unfiltered), so "since then: +a −d ~e"
/// is a subtraction. Equal versions mean equal content.
public struct SourceVersion: Hashable, Sendable, Codable {
  /// The number of messages that ever came in.
  public var inserted: Int
  /// The number of messages that were deleted.
  public var deleted: Int
  /// The number of changes to messages that stayed.
  public var changed: Int
  /// The mark that tells it from versions of other stores, and from those of this one before a backup took its place; `nil`
  /// in the versions of pages. Versions are equal if their counters are.
  public var origin: UInt64?

  /// Creates a version.
  public init(inserted: Int = 0, deleted: Int = 0, changed: Int = 0) {
    self.inserted = inserted
    self.deleted = deleted
    self.changed = changed
  }

  /// Whether both have the same counters, whatever they come from.
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
  /// Reads what ``description`` is; `nil` if it is something else.
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

  /// The version as a text for clients to hand back, its origin included: `5003.1.2.9f2c41`.
  public var description: String {
    "\(inserted).\(deleted).\(changed).\(origin.map { String($0, radix: 16) } ?? "-")"
  }
}
