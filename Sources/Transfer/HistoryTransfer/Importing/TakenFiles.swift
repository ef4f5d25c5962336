/// The files that the messages of an import name, by what became of them.
///
/// Those count, too, that messages of the same conversations have named in earlier imports and that were not there then.
public struct TakenFiles: Hashable, Sendable {
  /// The number of attachments that got their content.
  public var count = 0
  /// The bytes of those contents.
  public var byteCount = 0
  /// The number of files that were not there. Importing again, with the files beside, brings them.
  public var missingCount = 0
  /// The number of files that were there and could not be taken in.
  public var failureCount = 0
  /// The first of those, at most 100, each with the reason, as a sentence for people.
  public var failures: [String] = []

  /// So many failures are kept.
  private static let keptCount = 100

  /// Creates counts of zero.
  public init() {}

  mutating func note(failure: String) {
    failureCount += 1
    if failures.count < Self.keptCount { failures.append(failure) }
  }
}
