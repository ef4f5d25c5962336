/// The identity of a sender: a name and, if their platform has one, an id.
///
/// Senders with the same name and different ids are different, and one without an id is a third. Bulk loads
/// identify senders in the same way (``ImportDetails/senderID``), so that an app writes and imports as the
/// same senders.
///
/// ```swift
/// let ada = SenderKey(name: "Ada", externalID: "U024BE7LH")
/// try await store.append([NewMessage("Tea?", from: ada)], to: room)
/// ```
public struct SenderKey: Hashable, Sendable, Codable {
  /// The shown name.
  public var name: String
  /// The id on their platform, if it has one.
  public var externalID: String?

  /// Creates a key; an empty id counts as `nil`.
  public init(name: String, externalID: String? = nil) {
    self.name = name
    self.externalID = externalID?.isEmpty == true ? nil : externalID
  }
}
