internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// A change that can be taken back.
  struct Change: Sendable {
    /// Its name for people: `the deletion of #7`.
    var name: String
    var undo: Restoration
  }

  /// The most changes that are remembered.
  private static let mostChanges = 100

  /// Remembers a change as the last one.
  private mutating func remember(_ name: String, _ undo: @escaping Restoration) {
    changes.append(Change(name: name, undo: undo))
    changes.removeFirst(max(0, changes.count - Self.mostChanges))
  }

  /// Appends a message of mine.
  ///
  /// - Parameter reads: Whether it counts as read, with all that comes before it: who writes has caught up.
  mutating func append(
    _ text: String, kind: Message.Kind = .text, replyTo: Message.ID? = nil, reads: Bool
  ) throws(StoreError) -> Message.ID {
    let id = try store.append(
      NewMessage(text, from: me, kind: kind, replyTo: replyTo), to: conversation.id,
      marking: reads ? unwritten : nil)
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

  /// Returns where the conversation came from, in words; `nil` if it was written here.
  mutating func origin() throws(StoreError) -> String? {
    guard let origin = try store.origin(of: conversation.id) else { return nil }
    guard let count = origin.fileCount else {
      return "imported \(DateText.date(clock.civil(at: origin.time)))"
    }
    let files = NumberText.counted(count, "file")
    // An import may have brought others, too.
    return origin.addedCount > conversation.messageCount
      ? "from an import of \(files)" : "imported from \(files)"
  }

  /// Remembers that a message of mine was the last change.
  mutating func noteWritten(_ id: Message.ID) {
    remember("what was written last") { [store] () throws(StoreError) in _ = try store.delete(id) }
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
    let old = try wholeText(of: id)
    guard try store.edit(id, text: text) else { return "that is its text already" }
    remember("the edit of #\(id)") { [store] () throws(StoreError) in _ = try store.edit(id, text: old) }
    return "edited; /undo takes it back"
  }

  /// Deletes a message and returns what to say of it.
  mutating func delete(_ id: Message.ID) throws(StoreError) -> String {
    remember("the deletion of #\(id)", try store.delete(id))
    return "deleted; /undo brings it back"
  }

  /// Adds my reaction to a message or, if it is there already, takes it back, and returns what to say of it.
  mutating func react(_ word: String, to id: Message.ID) throws -> String {
    let emoji = word.count <= 80 ? try EmojiNames.meaning(of: word) : word
    guard emoji.count <= 32, !emoji.contains(where: \.isWhitespace) else {
      throw UsageError("a reaction is an emoji or one short name", remedy: "/react HANDLE 👍")
    }
    let sender = me
    if try store.react(emoji, to: id, from: sender) {
      remember("the reaction to #\(id)") { [store] () throws(StoreError) in
        _ = try store.withdraw(emoji, from: id, by: sender)
      }
      return "reacted with \(SafeText.oneLine(emoji)); the same again takes it back"
    } else {
      _ = try store.withdraw(emoji, from: id, by: sender)
      remember("the withdrawal from #\(id)") { [store] () throws(StoreError) in
        _ = try store.react(emoji, to: id, from: sender)
      }
      return "took \(SafeText.oneLine(emoji)) back"
    }
  }

  /// Takes back the last change and returns what to say of it.
  ///
  /// - Throws: ``UsageError`` if there is none, ``StoreError`` if it cannot be; it stays the last one then.
  mutating func undo() throws -> String {
    guard let last = changes.last else {
      throw UsageError("there is nothing to undo", cause: "nothing was changed here since the start")
    }
    try last.undo()
    changes.removeLast()
    return "undone: \(last.name)"
  }

  /// The error that says that a message is not there.
  func noMessage(_ id: Message.ID) -> UsageError {
    UsageError("there is no message #\(id)", status: .nothingFound)
  }
}
