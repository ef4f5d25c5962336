package import MessageModel

/// A followed file or folder, as recorded in the store.
public struct StoredSource: Codable, Hashable, Sendable, Identifiable {
  /// The number by which it can be removed.
  public var id: Int64
  /// Its absolute path.
  public var path: String
  /// The import's options by name, as they were typed.
  package var settings: [String: String]
  package var addedAt: Timestamp
  /// When it last existed and was imported completely; `nil` if never.
  package var seenAt: Timestamp?
  /// The number of the import that lists its messages; `nil` if it has none.
  public var importNumber: Int64?
  /// The formats found in it.
  public var formats: [String] = []
  /// Its last error, if any.
  package var trouble: String?
  /// The number of imported files that have been deleted since, among those remembered; their messages stay.
  package var goneCount: Int?
  /// The number of deleted files that are no longer remembered.
  package var goneEarlierCount: Int?

  package init(id: Int64, path: String, settings: [String: String], addedAt: Timestamp) {
    (self.id, self.path, self.settings, self.addedAt) = (id, path, settings, addedAt)
  }

  package var goneFileCount: Int { (goneCount ?? 0).adding(goneEarlierCount ?? 0) }

  /// A source with its typed options: a different path or different options make a different source.
  package struct Following: Hashable, Sendable {
    let id: StoredSource.ID
    let path: String
    let settings: [String: String]
  }

  package var followedAs: Following { Following(id: id, path: path, settings: settings) }
}
