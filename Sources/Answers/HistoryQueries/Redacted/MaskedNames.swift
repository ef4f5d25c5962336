internal import MessageModel
internal import MessageStorage
internal import Redaction

/// The names of a store as they are shown, in the orders that they have so; all of one version of the store.
struct MaskedNames: Sendable {
  let version: SourceVersion
  /// In the order of their names.
  let conversations: [Conversation]
  private let conversationPlaces: [Conversation.ID: Int]
  private let conversationNames: [String: Conversation.ID]
  private let senders: [Sender.ID: String]

  /// Reads all names.
  ///
  /// Stand-ins are given in the order of ids: names decide nothing.
  init(_ version: SourceVersion, of store: SynchronousMessageStore, _ redactor: Redactor) throws(StoreError) {
    self.version = version
    var senders: [Sender.ID: String] = [:]
    for sender in try store.senders().sorted(by: { $0.sender.id < $1.sender.id }) {
      senders[sender.sender.id] = redactor.sender(sender.sender.name, id: sender.external)
    }
    self.senders = senders
    var taken: Set<String> = []
    let named = try store.conversations().sorted { $0.id < $1.id }.map { conversation in
      var conversation = conversation
      conversation.name = Self.free(redactor.text(conversation.name), &taken)
      return conversation
    }
    conversations = named.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    conversationPlaces = Dictionary(
      conversations.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    conversationNames = Dictionary(
      conversations.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a name that none before has: names are places in lists.
  static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var (free, number) = (name, 1)
    while !taken.insert(free).inserted {
      number += 1
      free = "\(name) (\(number))"
    }
    return free
  }

  func conversation(_ id: Conversation.ID) -> Conversation? {
    conversationPlaces[id].map { conversations[$0] }
  }

  func conversation(named name: String) -> Conversation? {
    conversationNames[name].flatMap(conversation)
  }

  /// Returns the name of a sender; `nil` of one who came later.
  func sender(_ id: Sender.ID) -> String? { senders[id] }
}
