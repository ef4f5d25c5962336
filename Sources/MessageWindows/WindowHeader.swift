public import MessageModel

/// How a window lies in its selection: all that belongs beside its messages, true at the same moment as they.
public struct WindowHeader: Hashable, Sendable {
  /// How many messages are held.
  public var count: Int
  /// How many bytes they hold, by ``Message/byteCost``.
  public var byteCount: Int
  /// How many messages of the selection are older than the oldest held; `nil` as long as it is unknown.
  public var firstOrdinal: Int?
  /// How many messages the selection holds; `nil` as long as it is unknown.
  public var total: Int?
  /// Whether ordinal, total and ``newerBelow`` are exact; otherwise they are estimates and must be shown as such.
  public var isExact: Bool
  /// Whether the selection goes on at the older end. Exact.
  public var hasOlder: Bool
  /// Whether the selection goes on at the newer end. Exact.
  public var hasNewer: Bool
  /// How many messages of the selection are newer than the newest in view; `nil` as long as it is unknown.
  public var newerBelow: Int?
  /// How many messages have come in at the newer end since the reader was last there; `nil` as long as it is
  /// unknown.
  public var arrived: Int?
  /// Whether the reader is at the newest edge and stays there when messages come in.
  public var isFollowing: Bool
  /// Where the reader is.
  public var position: WindowPosition?
  /// What became of the message that the reader was at or wanted to be at.
  public var resolution: Page.Resolution
  /// What has happened since the view was frozen; `nil` if it is not.
  public var sinceFrozen: SourceVersion?
  /// Whether a jump is being read, or could not be.
  public var jumping: WindowActivity
  /// Whether older messages are being read, or could not be.
  public var readingOlder: WindowActivity
  /// Whether newer messages are being read, or could not be.
  public var readingNewer: WindowActivity
}

/// What goes on in one direction of a window.
public enum WindowActivity: Hashable, Sendable {
  case idle
  case reading
  /// Reading failed. Nothing more is asked for in this direction until ``MessageWindow/Command/retry``.
  case failed(StoreError)
}
