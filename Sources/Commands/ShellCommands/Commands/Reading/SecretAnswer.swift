package import MessageModel

/// A key or token that was found in a message.
package struct SecretAnswer: Codable, Hashable, Sendable {
  /// The number of the secret: the same one wherever it is found again.
  package var secret: Int
  /// The kind of secret: `github-token`.
  package var kind: String
  /// Its beginning and its length, or all of it if that was asked for.
  package var shown: String
  /// The message.
  package var id: Message.ID
  /// The name of its conversation.
  package var conversation: String
  /// When it was written.
  package var time: Timestamp
  /// How exactly that is known; `nil` to the millisecond.
  package var precision: TimePrecision?
  /// The name it was written under.
  package var sender: String?
  /// The part of the message that has it, if that is not its text: `edit`, `original`.
  package var part: String?
}
