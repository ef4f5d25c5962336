package import MessageModel
package import MessageStorage

/// The conversations that a command works on.
package enum ConversationChoice: Hashable, Sendable {
  /// All of them.
  case all
  /// These, by name.
  case named([String])
  /// The only one in the store.
  case only

  /// Throws ``UsageError`` for an unknown name (with the nearest one), or if `only` finds none or several.
  package func selection(in store: SynchronousMessageStore) throws -> Selection {
    switch self {
    case .all: return .everything
    case .only: return Selection(try Self.only(in: store).id)
    case .named(let names):
      return Selection(.some(Set(try names.map { try Self.named($0, in: store).id })))
    }
  }

  /// Whether the selection may span several conversations, so that messages need their names.
  ///
  /// - Parameter mayGrow: Whether later conversations count, too, if all are chosen.
  package func isOfSeveral(in store: SynchronousMessageStore, mayGrow: Bool = false) throws -> Bool {
    let selection = try selection(in: store)
    if case .some(let ids) = selection.conversations { return ids.count > 1 }
    return try mayGrow || store.conversationCount() > 1
  }

  /// Throws ``UsageError`` if there is none, with the nearest name.
  package static func named(_ name: String, in store: SynchronousMessageStore) throws -> Conversation {
    if let found = try store.conversation(named: name) { return found }
    let names = try store.conversationNames()
    let near = Nearest.name(to: name, among: names)
    throw UsageError(
      "no conversation '\(VisibleText.of(name))'",
      cause: near.map { "did you mean '\(VisibleText.of($0))'?" },
      remedy: near == nil ? "scrollback conversations" : nil, status: .nothingFound)
  }

  /// Throws ``UsageError`` if there is none or more than one.
  package static func only(in store: SynchronousMessageStore) throws -> Conversation {
    let first = try store.conversationNames(limit: 5)
    if first.count == 1, let only = try store.conversation(named: first[0]) { return only }
    let count = try store.conversationCount()
    let names = first.map { VisibleText.of($0) }.joined(separator: ", ")
    throw UsageError(
      first.isEmpty ? "there are no conversations yet" : "which conversation?",
      cause: first.isEmpty ? nil : "the store has \(count): \(names)\(count > 5 ? ", …" : "")",
      remedy: first.isEmpty ? "scrollback import FILE" : "-c NAME")
  }
}
