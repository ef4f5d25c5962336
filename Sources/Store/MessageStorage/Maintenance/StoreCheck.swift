/// The result of a check of a store.
public struct StoreCheck: Hashable, Sendable {
  /// The first 1,000 problems.
  public internal(set) var problems: [StoreProblem] = []
  /// The number of problems.
  package internal(set) var problemCount = 0
  /// The number of messages checked.
  package internal(set) var messageCount = 0
  /// The number of all messages if only some were checked.
  package internal(set) var sampledFrom: Int?

  /// Harmless things that take space, such as remains of deleted messages.
  package internal(set) var leftovers: [String] = []
  /// The number of problems that were repaired.
  package internal(set) var repairedCount = 0
  /// Whether no problem remains.
  public var isSound: Bool { problemCount == repairedCount }

  private static let limit = 1_000

  mutating func add(
    _ kind: StoreProblem.Kind, _ sentence: String, isRepaired: Bool = false, isAccepted: Bool = false
  ) {
    problemCount += 1
    if isRepaired { repairedCount += 1 }
    guard problems.count < Self.limit else { return }
    problems.append(
      StoreProblem(kind: kind, sentence: sentence, isRepaired: isRepaired, isAccepted: isAccepted))
  }
}

/// A problem in a store.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// A kind of problem, for code to branch on.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite itself finds the file damaged.
    case file
    /// A table, view or trigger is not as this program makes it, with unknown effects on messages.
    case schema
    /// The folder of contents is a link or another user's: nothing is written or removed there.
    case folder
    /// Counts of blocks, from which ordinals come, differ from the rows.
    case ordinals
    /// A total differs from the rows.
    case total
    /// An import would not recognise a message, or a key leads nowhere.
    case duplicates
    /// The length or rest of a long text is wrong or missing, or its words are not those in the index.
    case text
    /// The features of a message differ from its rows in other tables.
    case features
    /// The search index differs from the texts.
    case search
    /// An attached content is missing or changed.
    case content
    /// A row belongs to a missing content.
    case orphan
    /// The members of a saved filter, or their counts, differ from the rows.
    case filter
    /// The facts about an assistant's session differ from its messages.
    case session
    /// A number that this program never writes.
    case number
    /// A row names a missing conversation, sender or message.
    case reference
    /// The log was damaged when the store was opened; transactions may be missing.
    case log
  }

  /// The kind, for code to branch on.
  package var kind: Kind
  /// A sentence about the problem.
  package var sentence: String
  /// Whether it was repaired from the rows.
  public var isRepaired: Bool
  /// Whether a repair could only accept it, since the original is unknown.
  package var isAccepted = false

  public var description: String {
    if isAccepted { return "\(sentence) (accepted as it is)" }
    return isRepaired ? "\(sentence) (repaired)" : sentence
  }
}

/// A step of a check or compaction, reported as progress.
package enum CareStep: String, Hashable, Sendable, CaseIterable {
  /// The pages of the file, as SQLite keeps them.
  case file
  /// Numbers and references of rows.
  case references
  /// Texts and the checksums of messages.
  case texts
  /// The search indexes.
  case search
  /// Counts and saved filters.
  case counts
  /// The keys by which imports recognise messages.
  case duplicates
  /// Attached contents.
  case contents
  /// The repair of problems found.
  case repair
  /// A compacted copy of the file.
  case copy
}
