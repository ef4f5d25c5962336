/// The findings of a check of a store.
public struct StoreCheck: Hashable, Sendable {
  /// The first 1,000 problems.
  public internal(set) var problems: [StoreProblem] = []
  /// The number of problems.
  public internal(set) var problemCount = 0
  /// The number of messages looked at.
  public internal(set) var messageCount = 0
  /// The number of messages there are where only some were looked at; `nil` where all were.
  public internal(set) var sampledFrom: Int?

  /// Things that are no problem and take space: what deleted messages have left, say.
  public internal(set) var leftovers: [String] = []
  /// The number of problems that were repaired.
  public internal(set) var repairedCount = 0
  /// Whether there is anything left that is not as it should be.
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

/// Something in a store that is not as it should be.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// A kind of problem, for code to branch on.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite itself finds the file damaged.
    case file
    /// A table, view or trigger is not as this program makes it: nobody knows what it does to messages.
    case schema
    /// The folder of contents is a link or somebody else's: nothing is written or removed there.
    case folder
    /// Counts of blocks, from which ordinals come, differ from the rows.
    case ordinals
    /// A total differs from the rows.
    case total
    /// A message would not be known again if it were imported once more, or a key leads nowhere.
    case duplicates
    /// The length or the rest of a long text is wrong or missing, or its words are not those that were indexed.
    case text
    /// The features of a message differ from what other tables hold of it.
    case features
    /// The search index differs from the texts.
    case search
    /// An attached content is gone, or not what it was.
    case content
    /// Something belongs to a content that is not there.
    case orphan
    /// The members of a saved filter, or their counts, differ from the rows.
    case filter
    /// The facts about a session of an assistant differ from its messages.
    case session
    /// A number is one that this program never writes.
    case number
    /// A row names a conversation, sender or message that is not there.
    case reference
    /// The log was damaged when a process opened the store, and what it said behind that place is perhaps missing.
    case log
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  /// A sentence that says what is wrong, and with what.
  public var sentence: String
  /// Whether it was repaired, from the rows.
  public var isRepaired: Bool
  /// Whether a repair could only accept it as it is, since nothing tells what it was.
  public var isAccepted = false

  public var description: String {
    if isAccepted { return "\(sentence) (accepted as it is)" }
    return isRepaired ? "\(sentence) (repaired)" : sentence
  }
}
