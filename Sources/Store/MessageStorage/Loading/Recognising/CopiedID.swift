internal import GRDB
internal import MessageModel

/// A platform's id of which several conversations may each hold a copy.
///
/// The first copy is kept under the id itself, others with a number of their conversation appended. A
/// conversation and its branches share one copy: between exports a message may move from one to another.
struct CopiedID {
  private let source: Message.Source
  private let id: String
  private let home: ConversationIdentity

  init?(of detail: ImportDetails?) {
    guard let detail, let home = detail.copiedWithin, let source = detail.source, let id = source.id else {
      return nil
    }
    (self.source, self.id, self.home) = (source, id, home)
  }

  private var numbered: String { DoubtfulID.external(id, inConversation: FNVHash.of(home.key)) }

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

  func free(in details: DetailLoader) throws -> String {
    try details.message(platform: source.platform, external: id) == nil ? id : numbered
  }

  func isNumbered(_ external: String?) -> Bool { external != id }

  /// Whether a conversation is the copy's or a branch of it. One without a known key may be.
  private func isHome(_ conversation: Int64, _ db: Database) throws -> Bool {
    let keys = ConversationKeys(db: db)
    return try keys.isPart(conversation, of: home) || !keys.hasKey(of: home.platform, conversation)
  }
}
