public import MessageStorage

/// An event while sources are followed.
public enum FollowEvent: Sendable {
  /// Messages of a file came in, or were brought up to date.
  case took(StoredSource, path: String, added: Int, updated: Int)
  /// Records of a file were passed over; the first of them is described, with its place and the reason.
  case skipped(StoredSource, path: String, count: Int, first: String)
  /// Something cannot be followed for now, and why. It is said once, until it can be.
  case trouble(StoredSource, path: String, reason: String)
  /// A source that could not be followed can be followed again.
  case back(StoredSource, path: String)
  /// The store takes nothing for now, and why. It is said once, until it does.
  case storeTrouble(String)
  /// Everything that is there has been taken in.
  case caughtUp
}
