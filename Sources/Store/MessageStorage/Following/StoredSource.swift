package import MessageModel

/// A file or folder that is followed, as the store remembers it.
public struct StoredSource: Codable, Hashable, Sendable, Identifiable {
  /// The number by which it is removed.
  public var id: Int64
  /// Its absolute path.
  public var path: String
  /// The way in which it is read: options of an import by their names, as they were typed.
  package var settings: [String: String]
  /// The time since which it is followed.
  package var addedAt: Timestamp
  /// The time at which it was last there, and all in it was taken in; `nil` if it never was.
  package var seenAt: Timestamp?
  /// The number of the import under which its messages are listed; `nil` if it brought none.
  public var importNumber: Int64?
  /// The formats that were found in it.
  public var formats: [String] = []
  /// The fault that it had when it was last looked at; `nil` for nothing.
  package var trouble: String?
  /// The number of its files that were taken in and are gone since, as far as they are remembered; their messages stay.
  package var goneCount: Int?
  /// The number of those that are not remembered any more.
  package var goneEarlierCount: Int?

  /// The number of all its files that were taken in and are gone.
  package var goneFileCount: Int { (goneCount ?? 0).adding(goneEarlierCount ?? 0) }

  /// The words of a person about a source: another path or other options make it another one.
  package struct Following: Hashable, Sendable {
    let id: StoredSource.ID
    let path: String
    let settings: [String: String]
  }

  /// The words of a person about it.
  package var followedAs: Following { Following(id: id, path: path, settings: settings) }
}
