internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// Conversations that a reader went away from, and those that they went back from.
struct ConversationTrail: Hashable, Sendable {
  private var back: [Conversation.ID] = []
  private var forward: [Conversation.ID] = []

  private static let longest = 100

  /// Takes note that the reader has opened another conversation.
  mutating func leave(_ conversation: Conversation.ID) {
    back.append(conversation)
    if back.count > Self.longest { back.removeFirst() }
    forward = []
  }

  /// Returns the next conversation in a direction, older being back, and notes the one from which the reader goes there;
  /// `nil` if there is none.
  mutating func step(
    _ direction: MessageWindow.Direction, from conversation: Conversation.ID
  ) -> Conversation.ID? {
    switch direction {
    case .older:
      guard let next = back.popLast() else { return nil }
      forward.append(conversation)
      return next
    case .newer:
      guard let next = forward.popLast() else { return nil }
      back.append(conversation)
      return next
    }
  }
}

/// `/open` and `/conversations`.
extension Session {
  /// Keeps where the reader is in the conversation, for when it is opened again.
  package mutating func keepPlace() {
    let position = reader.sight.place ?? WindowPosition(id: .lowest, isFollowing: true)
    context.places.keep(
      KeptPlaces.Place(position: position, jumps: reader.jumps, isInWindow: reader.traits.hasWindow),
      in: context.conversation.name)
  }

  /// Opens another conversation where the reader left it.
  mutating func open(_ name: String) throws -> Effects {
    keepPlace()
    let before = context.conversation.id
    try context.open(name)
    if context.conversation.id != before { trail.leave(before) }
    return try enter()
  }

  /// Lists all conversations to choose from.
  func listConversations() throws(StoreError) -> Effects {
    let all = try context.store.conversations()
    let lines = try context.overview(of: all, columns: reader.traits.columns)
    return Effects(.listing(Listing(lines: lines, choice: .conversation, names: all.map(\.name))))
  }

  /// Shows the conversation of the context, and nothing of what was searched for in the one before.
  ///
  /// - Parameters:
  ///   - isPassing: Whether the reader goes on to another place at once.
  ///   - returning: Whether they go back to a place, also where conversations are else opened at their newest message.
  mutating func enter(isPassing: Bool = false, returning: Bool = false) throws -> Effects {
    search = nil
    typing = nil
    answers = nil
    try takePlace(isPassing: isPassing, returning: returning)
    return Effects(stops: [.count, .ahead])
  }

  /// Has the reader begin with the conversation of the context, where they left it.
  mutating func takePlace(isPassing: Bool = false, returning: Bool = false) throws(StoreError) {
    let kept = isPassing ? nil : context.places[context.conversation.name]
    let takesPlace =
      kept?.position.isFollowing == false
      && (returning || reader.traits.hasWindow && kept?.isInWindow == true)
    try reader.enter(&context, isPassing: isPassing || takesPlace)
    if reader.traits.hasLine, !isReadOnly { context.learnOrigin() }
    guard let kept else { return }
    reader.jumps = kept.jumps
    if takesPlace { _ = try reader.move(.restore(kept.position), in: &context) }
  }
}

extension ReplContext {
  /// Opens another conversation.
  mutating func open(_ name: String) throws {
    guard let found = try store.conversation(named: name) else {
      let names = try store.conversationNames()
      let near = Nearest.name(to: name, among: names)
      throw UsageError(
        "no conversation '\(SafeText.oneLine(name))'",
        cause: near.map { "did you mean '\(SafeText.oneLine($0))'?" },
        remedy: near == nil ? "/conversations" : nil, status: .nothingFound)
    }
    enter(found)
  }

  /// Has another conversation open, all of it.
  mutating func enter(_ other: Conversation) {
    conversation = other
    if let id = unwritten[other.id] { conversation.readUpTo = max(id, other.readUpTo ?? id) }
    filter = nil
  }

  /// Returns a line of each conversation, with what is unread and what was written last.
  func overview(of conversations: [Conversation], columns: Int) throws(StoreError) -> [String] {
    let read = conversations.map { conversation in
      var conversation = conversation
      conversation.readUpTo = unwritten[conversation.id] ?? conversation.readUpTo
      return conversation
    }
    let unread = try store.unreadCounts(of: read)
    let newest = try store.newestMessages(of: read, ConversationAnswer.Newest.init)
    let answers = zip(read, unread).map { ConversationAnswer($0, unread: $1, newest: newest[$0.id]) }
    return Self.lines(ConversationTable(timeZone: zone).overview(of: answers, columns: columns))
  }

  /// The name of the conversation, safe to be shown.
  var shownName: String { "'\(SafeText.oneLine(conversation.name).cut(columns: 40))'" }
}
