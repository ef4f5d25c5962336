internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Messages, `/reply`, `/me`, `/edit`, `/delete` and `/react`.
extension Session {
  mutating func question(before command: TypedCommand) throws -> Question? {
    guard command.effect != .reads, reader.traits.isAttended, sourcing.depth == 0, reader.traits.hasLine,
      context.store.isWritable
    else { return nil }
    // Letters may name other messages by the time of the reply: resolve them now.
    var (meant, doing, sort) = (command, "Write to it", Permission.Sort.appending)
    let conversation: Conversation
    if case .append(let text, let kind, let target?) = command.meaning {
      let id = try id(of: target)
      meant.meaning = .append(text, kind: kind, replyTo: .message(id))
      conversation = try context.conversation(toAnswer: id)
    } else if case .change(let target, let change) = command.meaning {
      let id = try id(of: target)
      guard let message = try context.message(id),
        let found = try context.store.conversation(message.conversation)
      else { return nil }
      (meant.meaning, conversation) = (.change(.message(id), change), found)
      guard let sought = change.permission else { return nil }
      (doing, sort) = (change.doing, sought)
    } else if command.effect == .appends {
      conversation = try context.conversationToWriteTo()
    } else {
      return nil
    }
    let permission = Permission(sort: sort, conversation: conversation.id)
    guard !context.permitted.contains(permission), let origin = try context.origin(of: conversation)
    else { return nil }
    return Question(
      text: "'\(SafeText.oneLine(conversation.name).cut(columns: 30))' was \(origin). \(doing)?",
      answers: [Question.Answer(word: "yes", command: meant), Question.Answer(word: "no", command: nil)],
      permits: permission)
  }

  mutating func append(
    _ text: String, kind: Message.Kind = .text, replyTo: Message.ID? = nil
  ) throws -> Effects {
    let conversation =
      try replyTo.map { try context.conversation(toAnswer: $0) } ?? context.conversationToWriteTo()
    let message = NewMessage(text, from: context.me, kind: kind, replyTo: replyTo.map { .message($0) })
    // Writing marks as read up to here, except where several are shown: unread messages may lie between.
    let positions = reader.traits.isAttended && context.openConversation != nil ? context.unwritten : nil
    let written = try context.store.append([message], to: conversation.id, reading: positions)
    if positions != nil {
      context.markedUnread[conversation.id] = nil
      for id in written { context.setMark(id, of: conversation.id) }
      context.unwritten = ReadPositions()
    }
    for id in written { context.noteWritten(message, as: id, in: conversation.id) }
    reader.goToOwn(in: &context)
    // The user has agreed to write into an imported conversation.
    let permission = Permission(sort: .appending, conversation: conversation.id)
    guard context.permitted.contains(permission) else { return Effects() }
    return Effects(.notice("appended as \(SafeText.oneLine(context.me)) · /undo"))
  }

  func beginEdit(of target: ReplCommand.Target) throws -> Effects {
    guard reader.traits.hasLine else { throw UsageError("/edit needs a text", remedy: "/edit #ID TEXT") }
    let id = try id(of: target)
    var effects = Effects()
    effects.line = "/edit #\(id) \(try context.textToEdit(id))"
    return effects
  }

  mutating func edit(_ id: Message.ID, text: String) throws -> Effects {
    guard let before = try context.message(id) else { throw context.noMessage(id) }
    guard let edit = try context.store.reversibleEdit(id, text: text) else {
      return changed(.echo("nothing to change: the text is the same"))
    }
    context.remember(.edit, of: before) { [store = context.store] () throws(StoreError) in
      try store.takeBack(edit)
    }
    return changed(.echo("edited; /undo restores the old text"))
  }

  mutating func delete(_ id: Message.ID) throws(StoreError) -> Effects {
    let before = try context.message(id)
    let deleted: DeletedMessages = try context.store.delete([id])
    if let before {
      context.remember(.deletion, of: before) { [store = context.store] () throws(StoreError) in
        try store.restore(deleted)
      }
    }
    return changed(.notice("deleted; /undo brings it back"))
  }

  mutating func react(_ word: String, to id: Message.ID) throws -> Effects {
    let emoji = word.count <= 80 ? try EmojiNames.meaning(of: word) : word
    guard emoji.count <= 32, !emoji.contains(where: \.isWhitespace) else {
      throw UsageError("a reaction is an emoji or one short name", remedy: "/react LETTER 👍")
    }
    guard let message = try context.message(id) else { throw context.noMessage(id) }
    let (store, sender) = (context.store, context.me)
    if try store.react(emoji, to: id, by: sender) {
      context.remember(.reaction, of: message) { () throws(StoreError) in
        try store.withdraw(emoji, from: id, by: sender)
      }
      return changed(.echo("reacted with \(SafeText.oneLine(emoji)); repeat to remove it"))
    }
    try store.withdraw(emoji, from: id, by: sender)
    context.remember(.withdrawal, of: message) { () throws(StoreError) in
      try store.react(emoji, to: id, by: sender)
    }
    return changed(.echo("removed \(SafeText.oneLine(emoji))"))
  }

  mutating func changed(_ reply: Reply) -> Effects {
    reader.refresh(in: &context)
    return Effects(reply)
  }
}

extension ReplContext {
  /// Looks up the open conversation's import for a later question, which reads it again after an error.
  mutating func learnOrigin() {
    origin = nil
    guard let conversation = openConversation else { return }
    do throws(StoreError) {
      origin = Origin(conversation: conversation.id, found: try store.origin(of: conversation.id))
    } catch {
      origin = nil
    }
  }

  /// `nil` if the conversation was written here.
  mutating func origin(of conversation: Conversation) throws(StoreError) -> String? {
    let isKnown = origin?.conversation == conversation.id
    guard let origin = isKnown ? origin?.found : try store.origin(of: conversation.id) else { return nil }
    guard let count = origin.fileCount else {
      return "imported \(DateText.date(clock.civil(at: origin.time)))"
    }
    let files = NumberText.counted(count, "file")
    // The import may have brought other conversations, too.
    return origin.addedCount > conversation.messageCount
      ? "imported with other conversations" : "imported from \(files)"
  }

  /// Throws ``UsageError`` where several conversations are shown.
  func conversationToWriteTo() throws(UsageError) -> Conversation {
    try checkIsThere()
    if let conversation = openConversation { return conversation }
    throw UsageError(
      "not sent: this view has many conversations",
      remedy: "/open NAME, or /reply LETTER TEXT")
  }

  /// The conversation for a reply: the open one or, where several are shown, that of the message.
  func conversation(toAnswer id: Message.ID) throws -> Conversation {
    try checkIsThere()
    if let conversation = openConversation { return conversation }
    guard let message = try message(id), let found = try store.conversation(message.conversation) else {
      throw noMessage(id)
    }
    return found
  }

  /// Throws ``UsageError`` if the text does not fit into a line.
  func textToEdit(_ id: Message.ID) throws -> String {
    let text = try wholeText(of: id)
    guard text.utf8.count <= 65_536, !text.utf8.contains(0) else {
      throw UsageError(
        "message #\(id) is too long to edit in one line (\(NumberText.bytes(text.utf8.count)))",
        remedy: "scrollback edit \(id) TEXT")
    }
    return text
  }

  func noMessage(_ id: Message.ID) -> UsageError {
    UsageError("there is no message #\(id)", status: .nothingFound)
  }
}

extension ReplCommand.MessageChange {
  /// `nil` for stars and read marks, which are private to the reader.
  fileprivate var permission: Permission.Sort? {
    switch self {
    case .edit: .editing
    case .delete: .deletion
    case .react: .reaction
    case .star, .unread: nil
    }
  }

  fileprivate var doing: String {
    switch self {
    case .edit: "Edit a message of it"
    case .delete: "Delete a message of it"
    case .react: "React in it"
    case .star: "Star a message of it"
    case .unread: "Mark messages of it as unread"
    }
  }
}

extension Session {
  mutating func star(_ id: Message.ID) throws -> Effects {
    guard let message = try context.message(id) else { throw context.noMessage(id) }
    let store = context.store
    if let time = message.starredAt {
      try store.unstar([id])
      context.remember(.starRemoval, of: message) { () throws(StoreError) in try store.star([id], at: time) }
      return changed(.echo("star removed"))
    }
    try store.star([id])
    context.remember(.star, of: message) { () throws(StoreError) in try store.unstar([id]) }
    return changed(.echo("starred; repeat to remove it"))
  }
}

extension Session {
  mutating func markUnread(from id: Message.ID) throws -> Effects {
    guard let message = try context.message(id) else { throw context.noMessage(id) }
    try context.markUnread(from: message)
    // Moves the line of the unread messages.
    _ = try reader.firstUnread(in: &context)
    return changed(.echo("unread from there on"))
  }
}
