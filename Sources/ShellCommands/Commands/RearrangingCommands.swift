internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `conversations rename`, `merge` and `delete`.
enum RearrangingCommands {
  /// Gives a conversation another name.
  static func rename(_ old: String, to new: String, _ store: MessageStore) throws {
    try store.renameConversation(try ConversationChoice.named(old, in: store).id, to: new)
  }

  /// Moves all messages of a conversation into another.
  static func merge(
    _ from: String, into target: String, _ store: MessageStore, _ console: Console
  ) throws {
    let source = try ConversationChoice.named(from, in: store)
    let target = try ConversationChoice.named(target, in: store)
    try LongWork.run(console) { progress in
      try store.mergeConversation(source.id, into: target.id, progress: progress)
    }
    let moved = NumberText.counted(source.messageCount, "message")
    console.note("moved \(moved) into '\(VisibleText.of(target.name))'")
  }

  /// Deletes a conversation with all its messages.
  static func delete(_ name: String, _ store: MessageStore, _ console: Console) throws {
    let conversation = try ConversationChoice.named(name, in: store)
    try LongWork.run(console) { progress in
      try store.deleteConversation(conversation.id, progress: progress)
    }
    let deleted = NumberText.counted(conversation.messageCount, "message")
    console.note("deleted '\(VisibleText.of(name))' with \(deleted)")
  }
}
