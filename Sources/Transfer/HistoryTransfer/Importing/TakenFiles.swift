/// The outcome for the files that an import's messages name.
///
/// Includes files named by earlier imports of the same conversations that were missing then.
public struct TakenFiles: Hashable, Sendable {
  /// The number of attachments that received their content.
  public var count = 0
  /// The total size of those contents in bytes.
  public var byteCount = 0
  /// The number of missing files. Importing again with the files present adds them.
  public var missingCount = 0
  /// The number of files that could not be imported.
  public var failureCount = 0
  /// The first failures, at most 100, as sentences with the reason.
  public var failures: [String] = []

  private static let keptCount = 100

  /// Creates counts of zero.
  public init() {}

  mutating func note(failure: String) {
    failureCount += 1
    if failures.count < Self.keptCount { failures.append(failure) }
  }
}
