public import MessageModel

/// Everything to show beside a window's messages, in the same state as they.
public struct WindowHeader: Hashable, Sendable {
  /// The number of messages held.
  public var count: Int
  /// The memory that they take, in units of ``Message/byteCost``.
  public var byteCount: Int
  /// The number of messages of the selection that are older than the oldest held, if known.
  public var firstOrdinal: Int?
  /// The number of messages in the selection, if known.
  public var total: Int?
  /// Whether ordinal, total and ``newerBelow`` are exact; otherwise they are estimates and must be shown as such.
  public var isExact: Bool
  /// Whether all messages were counted. Otherwise the conversations have gaps (``MessageGap``), and the
  /// numbers are those of the source.
  public var isComplete: Bool
  /// Whether the source has more of the selection at the older end, also beyond a gap. Exact.
  public var hasOlder: Bool
  /// Whether the source has more of the selection at the newer end, also beyond a gap. Exact.
  public var hasNewer: Bool
  /// The number of messages of the selection that are newer than the newest in view, if known.
  public var newerBelow: Int?
  /// The number of messages that arrived at the newer end since the reader was last there, if known.
  public var arrived: Int?
  /// Whether the reader is at the newest edge and stays there when messages arrive.
  public var isFollowing: Bool
  /// The place of the reader.
  public var position: WindowPosition?
  /// How the place that was asked for was found, and the message there.
  public var resolution: Page.Resolution
  /// The numbers of changes since the view was frozen; `nil` unless it is frozen.
  public var sinceFrozen: SourceVersion?
  /// Whether a jump is being read, or has failed.
  public var jumping: WindowActivity
  /// Whether older messages are being read, or reading them has failed.
  public var readingOlder: WindowActivity
  /// Whether newer messages are being read, or reading them has failed.
  public var readingNewer: WindowActivity
}

/// The state of reading in one direction of a window.
public enum WindowActivity: Hashable, Sendable {
  /// Nothing is being read.
  case idle
  /// A page is being read.
  case reading
  /// Reading failed. It stops in this direction until ``MessageWindow/Command/retry``.
  case failed(StoreError)
}
