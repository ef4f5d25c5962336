internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// Appends a message of mine.
  ///
  /// - Parameter reads: Whether it counts as read, with all that comes before it: who writes has caught up.
  mutating func append(
    _ text: String, kind: Message.Kind = .text, replyTo: Message.ID? = nil, reads: Bool
  ) throws(StoreError) -> Message.ID {
    let message = NewMessage(text, from: me, kind: kind, replyTo: replyTo)
    let id = try store.append(message, to: conversation.id, reading: reads ? unwritten : nil)
    if reads {
      conversation.readUpTo = id
      unwritten = ReadPositions()
    }
    noteWritten(id)
    return id
  }

  /// Whether somebody has agreed in this run to write into the conversation that is open, which was imported.
  var isPermitted: Bool { permitted.contains(conversation.id) }

  /// What to say of a message that was written into an imported conversation.
  var appendedRemark: String { "appended as \(SafeText.oneLine(me)) · /undo" }

  /// Returns where a conversation came from, in words; `nil` if it was written here.
  mutating func origin(of conversation: Conversation) throws(StoreError) -> String? {
    guard let origin = try store.origin(of: conversation.id) else { return nil }
    guard let count = origin.fileCount else {
      return "imported \(DateText.date(clock.civil(at: origin.time)))"
    }
    let files = NumberText.counted(count, "file")
    // An import may have brought others, too.
    return origin.addedCount > conversation.messageCount
      ? "from an import of \(files)" : "imported from \(files)"
  }

  /// Returns the text of a message.
  func wholeText(of id: Message.ID) throws -> String {
    guard let text = try store.text(of: id) else { throw noMessage(id) }
    return text
  }

  /// Returns the text of a message, to be edited in the line.
  ///
  /// - Throws: ``UsageError`` if it cannot be held by a line.
  func textToEdit(_ id: Message.ID) throws -> String {
    let text = try wholeText(of: id)
    guard text.utf8.count <= 65_536, !text.utf8.contains(0) else {
      throw UsageError(
        "message #\(id) is too much for a line", cause: "it has \(NumberText.bytes(text.utf8.count))",
        remedy: "scrollback edit \(id) TEXT")
    }
    return text
  }

  /// Gives a message another text and returns what to say of it.
  mutating func edit(_ id: Message.ID, text: String) throws -> String {
    guard let before = try message(id) else { throw noMessage(id) }
    guard let edit = try store.reversibleEdit(id, text: text) else {
      return "nothing to change: the text is the same"
    }
    remember(.edit, of: before) { [store] () throws(StoreError) in try store.takeBack(edit) }
    return "edited; /undo takes it back"
  }

  /// Deletes a message and returns what to say of it.
  mutating func delete(_ id: Message.ID) throws(StoreError) -> String {
    let before = try message(id)
    let deleted: DeletedMessages = try store.delete([id])
    if let before {
      remember(.deletion, of: before) { [store] () throws(StoreError) in try store.restore(deleted) }
    }
    return "deleted; /undo brings it back"
  }

  /// Adds my reaction to a message or, if it is there already, takes it back, and returns what to say of it.
  mutating func react(_ word: String, to id: Message.ID) throws -> String {
    let emoji = word.count <= 80 ? try EmojiNames.meaning(of: word) : word
    guard emoji.count <= 32, !emoji.contains(where: \.isWhitespace) else {
      throw UsageError("a reaction is an emoji or one short name", remedy: "/react HANDLE 👍")
    }
    guard let message = try message(id) else { throw noMessage(id) }
    let sender = me
    if try store.react(emoji, to: id, from: sender) {
      remember(.reaction, of: message) { [store] () throws(StoreError) in
        _ = try store.withdraw(emoji, from: id, by: sender)
      }
      return "reacted with \(SafeText.oneLine(emoji)); the same again takes it back"
    } else {
      _ = try store.withdraw(emoji, from: id, by: sender)
      remember(.withdrawal, of: message) { [store] () throws(StoreError) in
        _ = try store.react(emoji, to: id, from: sender)
      }
      return "took \(SafeText.oneLine(emoji)) back"
    }
  }

  /// The error that says that a message is not there.
  func noMessage(_ id: Message.ID) -> UsageError {
    UsageError("there is no message #\(id)", status: .nothingFound)
  }
}

extension SynchronousMessageStore {
  /// Appends a message and returns its id; see ``append(_:to:reading:)``.
  func append(
    _ message: NewMessage, to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) throws(StoreError) -> Message.ID {
    let ids = try append([message], to: conversation, reading: positions)
    guard let id = ids.first else { throw StoreError(.damaged, "the message has no id") }
    return id
  }
}
