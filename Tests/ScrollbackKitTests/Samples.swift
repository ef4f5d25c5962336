import HistoryTransfer
import ScrollbackKit

// The samples of the libraries' comments, word for word: SampleTests compares them. Here they are compiled.

private func ofMessageStore() async throws {
  let store = try await MessageStore(path: "chats.db")
  let room = try await store.write { try $0.makeConversation(named: "general") }
  try await store.append([NewMessage("Tea?", from: "mira")], to: room.id)
  let page = try await store.page(PageRequest(Selection(room.id), anchor: .newest, fetchLimit: 50))
  _ = page
}

private func ofNewMessage(_ event: ServerMessage, replyTo target: String) -> NewMessage {
  var message = NewMessage(event.text, from: event.sender, at: event.time, replyTo: .external(target))
  message.source = Message.Source(platform: "acme", id: event.id)
  message.reactions = [Message.Reaction(emoji: "👍", senders: ["Bo"], senderIDs: ["U7"])]
  message.attachments = [Message.Attachment(name: "tea.jpg", mediaType: "image/jpeg", byteCount: 40_960)]
  return message
}

private func ofWriting(_ store: MessageStore) async throws {
  let id = try await store.write { store in
    let room = try store.makeConversationIfNeeded(named: "general")
    let id = try store.append([NewMessage("Tea?", from: "mira")], to: room.id)[0]
    try store.setSendingState(.waiting, of: id)
    return id
  }
  _ = id
}

private func ofReading(_ store: MessageStore) async throws {
  let names = try await store.read { store in
    var names: [String] = []
    for mark in try store.marks() {
      if let name = try store.conversation(mark.conversation)?.name { names.append(name) }
    }
    return names
  }
  _ = names
}

private func ofConversationFeed(_ store: MessageStore) async throws {
  var entries: [Conversation.ID: ConversationListEntry] = [:]
  for try await change in store.conversationFeed() {
    if change.isWhole { entries = [:] }
    for entry in change.updated { entries[entry.id] = entry }
    for id in change.removed { entries[id] = nil }
  }
}

private func ofChanges(
  _ store: SynchronousMessageStore, _ allMessages: () throws -> [Message],
  _ apply: (inout [Message], MessageChanges) -> Void
) async throws {
  func update(_ copy: inout [Message], by changes: MessageChanges) { apply(&copy, changes) }
  var version = try store.version(of: .everything)
  var copy = try allMessages()
  for await _ in store.changes() {
    let changes = try store.changes(since: version)
    if changes.isEverything { copy = try allMessages() } else { update(&copy, by: changes) }
    version = changes.version
  }
}

private func ofImportReader(_ count: inout Int) throws {
  var reader = try ImportReader(["logs.tar.xz"])
  while let event = reader.next() {
    switch event {
    case .file(let file): print("\(file.path) is \(file.formatTitle)")
    case .batch(let batch): count += batch.entries.count
    case .skipped(let record): print(record.description)
    }
  }
}

private struct AnsweredSource: SynchronousMessageSource {
  let messages: [Message]

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    try Page(answering: request, in: messages)
  }

  func changes() -> AsyncStream<Void> { AsyncStream { $0.yield() } }
}

private func ofImportSteps(
  _ store: MessageStore, _ show: (Int) -> Void, _ report: (HistoryImport) -> Void
) async throws {
  for try await step in store.importSteps(at: ["logs.tar.xz"]) {
    switch step {
    case .progress(let progress): show(progress.messageCount)
    case .finished(let outcome): report(outcome)
    }
  }
}

private func ofFollowedHistory(_ store: MessageStore, _ logs: String) async throws {
  for try await event in store.followHistory(at: [logs]) {
    if case .took(_, let path, let added, _) = event { print(added, "from", path) }
  }
}

private struct SearchField {
  var text = ""
  func mark(_ range: Range<String.Index>?, saying text: String) {}
}

private func ofMatching(_ list: MessageList, _ field: SearchField, _ store: MessageStore) async throws {
  do {
    list.send(.select(try await Selection(matching: field.text, in: store)))
  } catch let error as QueryError {
    field.mark(error.range, saying: error.summary)
  }
}

private func ofMe(_ store: MessageStore) async throws {
  try await store.write { try $0.setMe([SenderKey(name: "Ada", externalID: "U024BE7LH")]) }
}

private final class Badge { var text = "" }

private func ofUnreadMentions(
  _ store: SynchronousMessageStore, _ room: Conversation.ID, _ badge: Badge
) throws {
  let mentions = try store.unreadCount(in: room, matching: .matching("@ada"), limit: 99)
  badge.text = mentions.isExact ? "\(mentions.count)" : "\(mentions.count)+"
}
