public import MessageModel

/// The description of an import in the list of imports.
public struct ImportDescription: Hashable, Sendable {
  /// The file or folder, as the user typed it.
  public var name: String
  /// The format that was imported, or several.
  public var format: String
  /// The identifier of the time zone for times that name none.
  public var zone: String
  /// Further options, as they were typed.
  public var options: String

  /// Creates a description.
  public init(name: String, format: String, zone: String, options: String = "") {
    self.name = PathBytes.shown(name)
    self.format = format
    self.zone = zone
    self.options = options
  }
}

/// The numbers of entries so far, by outcome.
public struct ImportCounts: Hashable, Sendable {
  /// The messages added, by kind.
  public var added: [Message.Kind: Int] = [:]
  /// Entries whose messages were in the store already.
  public var alreadyThere = 0
  /// Existing messages that the import updated: another text, more reactions.
  public var updated = 0

  /// Creates counts of zero.
  public init() {}

  /// The number of messages added.
  public var addedCount: Int { added.values.reduce(0, +) }
}

/// A recorded import.
public struct StoredImport: Identifiable, Hashable, Sendable {
  /// The number by which it is undone.
  public var id: Int64
  /// The time when it began.
  public var time: Timestamp
  /// The description of what was imported, and how.
  public var description: ImportDescription
  /// The number of messages it brought.
  public var addedCount: Int
  /// Whether it was completed.
  public var isFinished: Bool
  /// The number of files with messages; `nil` if it was not recorded.
  public var fileCount: Int?

  package init(
    id: Int64, time: Timestamp, description: ImportDescription, addedCount: Int, isFinished: Bool,
    fileCount: Int?
  ) {
    (self.id, self.time, self.description, self.addedCount) = (id, time, description, addedCount)
    (self.isFinished, self.fileCount) = (isFinished, fileCount)
  }
}
