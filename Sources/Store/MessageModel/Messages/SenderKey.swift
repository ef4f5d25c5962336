/// Somebody who writes or reacts, by what tells them from others: a name and, where their platform gives one, an id.
///
/// Two of one name with different ids are two, and one without an id is a third. Bulk loads know senders in the same way
/// (``ImportDetails/senderID``), so that what an app writes and what it imports has the same senders.
///
/// ```swift
/// let ada = SenderKey(name: "Ada", externalID: "U024BE7LH")
/// try await store.append([NewMessage("Tea?", from: ada)], to: room)
/// ```
public struct SenderKey: Hashable, Sendable, Codable {
  /// The name, as it is shown.
  public var name: String
  /// The id on their platform; `nil` where it gives none.
  public var externalID: String?

  /// Creates a key; an empty id is none.
  public init(name: String, externalID: String? = nil) {
    self.name = name
    self.externalID = externalID?.isEmpty == true ? nil : externalID
  }
}
