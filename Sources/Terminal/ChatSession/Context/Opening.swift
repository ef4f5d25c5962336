package import MessageModel
package import MessageStorage
internal import TerminalText

extension ReplCommand {
  /// A typed name of something to open.
  package enum Opening: Hashable, Sendable {
    /// As typed: a conversation of this name, else `*`, `@person`, or a message by letter or id.
    case typed(String)
    case conversation(String)
    case everything
    case person(String)
    /// A message's conversation, at the message.
    case message(Message.ID)

    init?(_ text: Substring) {
      let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      switch (words.first, words.count) {
      case (nil, _): return nil
      case ("--all", 1): self = .everything
      case ("--person", 2): self = .person(String(words[1]))
      case (_, _): self = .typed(String(text))
      }
    }
  }
}

extension SynchronousMessageStore {
  /// Finds a timeline.
  ///
  /// - Parameter remedy: The remedy for an unknown conversation.
  /// - Throws: ``UsageError`` for an unknown conversation, ``StoreError`` for an unknown person, with the
  ///   nearest name.
  package func timeline(
    _ opening: ReplCommand.Opening, listing remedy: Remedy = "/conversations"
  ) throws -> Timeline {
    switch opening {
    case .everything: return .everything
    case .person(let name): return .person(try timeline(ofPersonNamed: name))
    case .message(let id):
      let request = PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
      guard let message = try page(request).messages.first(where: { $0.id == id }),
        let found = try conversation(message.conversation)
      else { throw UsageError("there is no message #\(id)", status: .nothingFound) }
      return .conversation(found)
    case .conversation(let name):
      if let found = try conversation(named: name) { return .conversation(found) }
      throw try noConversation(name, remedy)
    case .typed(let text):
      if let found = try conversation(named: text) { return .conversation(found) }
      if text == Timeline.everythingSign { return .everything }
      if text.hasPrefix("@") { return .person(try timeline(ofPersonNamed: text)) }
      throw try noConversation(text, remedy)
    }
  }

  private func noConversation(_ name: String, _ remedy: Remedy) throws -> UsageError {
    let near = Nearest.name(to: name, among: try conversationNames())
    return UsageError(
      "no conversation '\(SafeText.oneLine(name))'",
      cause: near.map { "did you mean '\(SafeText.oneLine($0))'?" },
      remedy: near == nil ? remedy : nil, status: .nothingFound)
  }
}
