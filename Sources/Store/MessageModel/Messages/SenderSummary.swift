/// A sender with the store's data about them.
public struct SenderSummary: Hashable, Sendable {
  /// The sender.
  public var sender: Sender
  /// The id on their platform, `nil` if none is known.
  public var external: String?
  /// The number of their messages.
  public var messageCount: Int
  /// The sender whose other name this is.
  public var aliasOf: Sender.ID?

  package init(sender: Sender, external: String?, messageCount: Int, aliasOf: Sender.ID?) {
    (self.sender, self.external) = (sender, external)
    (self.messageCount, self.aliasOf) = (messageCount, aliasOf)
  }
}
