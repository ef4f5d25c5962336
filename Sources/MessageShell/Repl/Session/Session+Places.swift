internal import MessageModel
internal import MessageWindows

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

extension Session {
  /// Keeps where the reader is in the conversation, for when it is opened again.
  package mutating func keepPlace() {
    let position = reader.place ?? WindowPosition(id: .lowest, isFollowing: true)
    context.places.keep(
      KeptPlaces.Place(position: position, jumps: reader.jumps, isInWindow: reader.keepsPlaces),
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

  /// Goes back or forth: within the conversation and, where that ends, to the one before.
  mutating func retrace(_ direction: MessageWindow.Direction, _ word: String) throws -> Effects {
    if try reader.move(.retrace(direction), in: &context) != nil { return Effects() }
    keepPlace()
    while let id = trail.step(direction, from: context.conversation.id) {
      guard let found = try context.store.conversation(id) else { continue }
      context.enter(found)
      var effects = try enter(returning: true)
      effects.replies.append(.echo("in \(context.shownName)"))
      return effects
    }
    return Effects(.miss("there is nothing to go \(word) to"))
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
      kept?.position.isFollowing == false && (returning || reader.keepsPlaces && kept?.isInWindow == true)
    try reader.enter(&context, isPassing: isPassing || takesPlace)
    guard let kept else { return }
    reader.jumps = kept.jumps
    if takesPlace { _ = try reader.move(.restore(kept.position), in: &context) }
  }
}
