package import MessageModel

/// The histories that assistants keep on a computer.
package struct AssistantsAnswer: Codable, Hashable, Sendable {
  /// The places in which something was found.
  package var assistants: [AssistantAnswer]
  /// The command that follows all of it; `nil` if there is nothing.
  package var command: String?
}

/// A place where a program that answers keeps its sessions.
package struct AssistantAnswer: Codable, Hashable, Sendable {
  /// The name of the program.
  package var program: String
  /// The format that reads it.
  package var format: String
  /// The folder or file; `*` in it stands for several folders.
  package var path: String
  /// The number of sessions; `nil` of databases.
  package var sessions: Int?
  /// The number of databases, whose sessions are not counted.
  package var databases: Int?
  /// The number of bytes of the files.
  package var bytes: Int64
  /// When the newest of them was changed.
  package var newest: Timestamp?
  /// `yes`, `partly` or `no`.
  package var followed: String
  /// Why something in it cannot be looked at.
  package var trouble: String?
}
