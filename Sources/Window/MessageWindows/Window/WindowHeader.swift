public import MessageModel

/// The place of a window in its selection: all that belongs beside its messages, true at the same moment as they.
public struct WindowHeader: Hashable, Sendable {
  /// The number of messages held.
  public var count: Int
  /// The memory that they take, by ``Message/byteCost``.
  public var byteCount: Int
  /// The number of messages of the selection that are older than the oldest held; `nil` as long as it is unknown.
  public var firstOrdinal: Int?
  /// The number of messages in the selection; `nil` as long as it is unknown.
  public var total: Int?
  /// Whether ordinal, total and ``newerBelow`` are exact; otherwise they are estimates and must be shown as such.
  public var isExact: Bool
  /// Whether all there is was counted; otherwise the conversations have gaps (``MessageGap``), and the numbers are of what is
  /// in the source.
  public var isComplete: Bool
  /// Whether the source has more of the selection at the older end, be it beyond a gap. Exact.
  public var hasOlder: Bool
  /// Whether the source has more of the selection at the newer end, be it beyond a gap. Exact.
  public var hasNewer: Bool
  /// The number of messages of the selection that are newer than the newest in view; `nil` as long as it is unknown.
  public var newerBelow: Int?
  /// The number of messages that came in at the newer end since the reader was last there; `nil` as long as it is
  /// unknown.
  public var arrived: Int?
  /// Whether the reader is at the newest edge and stays there when messages come in.
  public var isFollowing: Bool
  /// The place of the reader.
  public var position: WindowPosition?
  /// The message found in place of the one that the reader was at or asked for, and how.
  public var resolution: Page.Resolution
  /// The numbers of changes since the view was frozen; `nil` if it is not.
  public var sinceFrozen: SourceVersion?
  /// Whether a jump is being read, or could not be.
  public var jumping: WindowActivity
  /// Whether older messages are being read, or could not be.
  public var readingOlder: WindowActivity
  /// Whether newer messages are being read, or could not be.
  public var readingNewer: WindowActivity
}

/// The state of reading in one direction of a window.
public enum WindowActivity: Hashable, Sendable {
  /// Nothing is under way.
  case idle
  /// It is being read.
  case reading
  /// Reading failed. Nothing more is asked for in this direction until ``MessageWindow/Command/retry``.
  case failed(StoreError)
}
