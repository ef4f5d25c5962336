public import MessageStorage

/// An event of followed sources.
public enum FollowEvent: Sendable {
  /// Messages of a file were added or updated.
  case took(StoredSource, path: String, added: Int, updated: Int)
  /// Records of a file were skipped; `first` describes the first one, with its place and the reason.
  case skipped(StoredSource, path: String, count: Int, first: String)
  /// A path cannot be followed at present. Reported once, until it can be.
  case trouble(StoredSource, path: String, reason: String)
  /// A source that could not be followed can be followed again.
  case back(StoredSource, path: String)
  /// The store cannot be written at present. Reported once, until it can be.
  case storeTrouble(String)
  /// All present content was imported.
  case caughtUp
}
