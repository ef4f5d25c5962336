internal import GRDB
internal import MessageModel

/// An id under which several conversations of a platform may each hold a copy of a message.
///
/// The first copy is kept under the id itself, others under it with a number of their conversation behind. A conversation
/// and its branches hold one copy between them: from one export to the next a message may move from one to another.
struct CopiedID {
  private let source: Message.Source
  private let id: String
  private let home: ConversationIdentity

  /// Creates the id of an entry; `nil` if its details have none of which there may be copies.
  init?(of detail: ImportDetails?) {
    guard let detail, let home = detail.copiedWithin, let source = detail.source, let id = source.id else {
      return nil
    }
    (self.source, self.id, self.home) = (source, id, home)
  }

  /// The id of a copy that is not the first.
  private var numbered: String { DoubtfulID.external(id, inConversation: FNVHash.of(home.key)) }

  /// Returns the copy of a conversation, if it is there.
  ///
  /// - Parameters:
  ///   - conversation: The conversation of the entry.
  ///   - areNumbered: Whether any ids with numbers behind them may be there.
  func message(
    in details: DetailLoader, _ conversation: Int64, areNumbered: Bool
  ) throws -> Message.ID? {
    if let first = try details.message(platform: source.platform, external: id),
      let place = try details.conversation(of: first), try place == conversation || isHome(place, details.db)
    {
      return first
    }
    return areNumbered ? try details.message(platform: source.platform, external: numbered) : nil
  }

  /// Returns the id that a new copy is kept under.
  func free(in details: DetailLoader) throws -> String {
    try details.message(platform: source.platform, external: id) == nil ? id : numbered
  }

  /// Whether a number stands behind an id.
  func isNumbered(_ external: String?) -> Bool { external != id }

  /// Whether a conversation is that of the copy or a branch of it; one of which its platform's key is not known may be.
  private func isHome(_ conversation: Int64, _ db: Database) throws -> Bool {
    let keys = ConversationKeys(db: db)
    return try keys.isPart(conversation, of: home) || !keys.hasKey(of: home.platform, conversation)
  }
}
