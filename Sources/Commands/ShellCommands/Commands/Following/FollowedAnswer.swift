package import MessageModel

/// A file or folder that is followed.
package struct FollowedAnswer: Codable, Hashable, Sendable {
  /// The number by which it is removed.
  package var source: Int64
  /// Its path.
  package var path: String
  /// The options with which it is read, as they were typed.
  package var options: String?
  /// The number of messages that it has brought.
  package var messages: Int
  /// The number of the import under which they are listed.
  package var `import`: Int64?
  /// The formats that were found in it.
  package var formats: [String]
  /// Since when it is followed.
  package var added: Timestamp
  /// When all in it was last known to be taken in.
  package var seen: Timestamp?
  /// The fault that it had when it was last looked at.
  package var trouble: String?
  /// The number of files that were taken in and are gone; their messages stay.
  package var goneFiles: Int?
}

/// An event of following sources.
package struct FollowEventAnswer: Codable, Hashable, Sendable {
  /// `took`, `skipped`, `trouble`, `back`, `waiting` or `caughtUp`.
  package var event: String
  /// The number of the source.
  package var source: Int64?
  /// The file or folder.
  package var path: String?
  /// The number of messages that came.
  package var messages: Int?
  /// The number of earlier messages that got something new.
  package var updated: Int?
  /// The number of records that were passed over.
  package var records: Int?
  /// Why.
  package var reason: String?
}
