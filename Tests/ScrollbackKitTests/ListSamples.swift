import RowGeometry
import ScrollbackKit

// The samples of lists, as in Samples.swift.

private func ofMessageList(
  _ conversation: Conversation.ID, in store: MessageStore, _ show: ([Message]) -> Void
) async {
  let list = MessageList(Selection(conversation), in: store)
  show(await list.perform(.jump(to: .newest)).messages)
  list.send(.scroll(.older))
  for await snapshot in list.snapshots(every: .milliseconds(16)) { show(snapshot.messages) }
}

/// A view of rows.
private struct Table: Sendable {
  func apply(_ changes: IndexChanges) {}
  func deleteRows(_ rows: [Range<Int>]) {}
  func insertRows(_ rows: [Range<Int>]) {}
  func reloadRows(_ rows: [Range<Int>]) {}
}

private func onMainActor(_ list: MessageList, _ table: Table) {
  Task { @MainActor in
    for await snapshot in list.snapshots(every: .milliseconds(16)) {
      table.apply(snapshot.changes)
    }
  }
}

private func ofIndexChanges(_ changes: IndexChanges, _ table: Table) {
  table.deleteRows(changes.removals)  // indices before the change
  table.insertRows(changes.insertions)  // indices after it
  table.reloadRows(changes.updates)  // indices after it
}

private func ofMessageRows(_ list: MessageList, _ firstVisibleRow: Int, _ lastVisibleRow: Int) {
  list.send(.showOrdinals(firstVisibleRow..<lastVisibleRow + 1))
}

/// A server that has more than what is local.
private struct Server: Sendable {
  struct Answer {
    var messages: [NewMessage]
    var isLast: Bool
    var next: String?
  }

  func messages(
    _ edge: ScrollDirection, of key: Message.ID?, limit: Int
  ) async throws -> Answer {
    Answer(messages: [], isLast: true)
  }

  func messages(before key: Message.ID?, limit: Int) async throws -> Answer {
    Answer(messages: [], isLast: true)
  }
}

private func ofEdgeLoader(_ server: Server, _ store: MessageStore, _ room: Conversation.ID) {
  let loader = EdgeLoader(beyond: [.older]) { request in
    let answer = try await server.messages(before: request.key, limit: request.limit)
    try await store.append(answer.messages, to: room)
    return answer.isLast ? .endReached : .loaded
  }
  let list = MessageList(Selection(room), in: store, edgeLoader: loader)
  _ = list
}

private func ofGaps(_ server: Server, _ store: MessageStore) -> EdgeLoader {
  let gapLoader = EdgeLoader { request in
    guard let gap = request.gap else { return .endReached }
    let answer = try await server.messages(request.edge, of: request.key, limit: request.limit)
    try await store.write { store in
      try store.fillGap(gap, answer.isLast ? .all : request.part, with: answer.messages)
    }
    return .loaded
  }
  return gapLoader
}

private func ofGapFilling(
  _ server: Server, _ store: MessageStore, _ gap: MessageGap, _ key: Message.ID?
) async throws {
  let answer = try await server.messages(before: key, limit: 50)
  try await store.write { store in
    try store.fillGap(gap, answer.isLast ? .all : .newest, with: answer.messages)
  }
}

private func ofGapSetting(
  _ store: MessageStore, _ room: Conversation.ID, _ oldest: Message.ID, _ answer: Server.Answer
) async throws {
  try await store.write { store in
    // The newest hundred messages were loaded; what is older is on the server.
    try store.setGap(in: room, before: oldest, token: answer.next)
  }
}

/// What holds pictures in memory.
private struct Pictures {
  func load(_ message: Message) {}
  func prepare(_ message: Message) {}
  func drop(_ id: Message.ID) {}
}

private func ofPayloads(_ list: MessageList, _ pictures: Pictures) async {
  for await change in list.payloads() {
    for message in change.visible { pictures.load(message) }
    for message in change.near { pictures.prepare(message) }
    for id in change.gone { pictures.drop(id) }
  }
}

private func ofMessageRows(_ list: MessageList, _ table: Table, _ firstUnread: Message.ID?) async {
  var items = MessageRows(firstUnread: firstUnread)
  for await snapshot in list.snapshots(every: .milliseconds(16)) {
    table.apply(items.update(with: snapshot))
  }
}

private func ofGrouping() {
  let items = MessageRows(grouping: .bySender(within: .seconds(180)))
  let ownRule = MessageRows(
    grouping: MessageRows.Grouping { above, message in
      above.sender?.id == message.sender?.id && message.replyTo == nil
    })
  _ = (items, ownRule)
}

private struct Bounds {
  struct Box { var height = 0.0 }
  var bounds = Box()
}

private func ofListGeometry(
  _ rows: PlaceholderRows, _ snapshot: MessageList.Snapshot, _ index: Int, _ cell: Bounds,
  _ bounds: Bounds.Box
) {
  var contentOffset = (x: 0.0, y: 0.0)
  var geometry = ListGeometry(rowCount: rows.count, estimatedHeight: 60, viewportHeight: bounds.height)
  // New rows, or other heights:
  if let scroll = geometry.apply(snapshot.placeholderChanges) { contentOffset.y = scroll.offset }
  if let scroll = geometry.measure(index, height: cell.bounds.height) { contentOffset.y = scroll.offset }
  // The reader:
  geometry.scroll(to: contentOffset.y)
}

private func ofSenderKey(_ store: MessageStore, _ room: Conversation.ID) async throws {
  let ada = SenderKey(name: "Ada", externalID: "U024BE7LH")
  try await store.append([NewMessage("Tea?", from: ada)], to: room)
}

private struct SendingServer {
  struct Answer { var id: String }
  func send(_ text: String) async throws -> Answer { Answer(id: text) }
}

private func ofSetSource(_ store: MessageStore, _ server: SendingServer, _ room: Conversation.ID) async throws
{
  let id = try await store.append([NewMessage("Tea?", from: "mira", sendingState: .sending)], to: room)[0]
  let answer = try await server.send("Tea?")
  try await store.write { try $0.setSource(Message.Source(platform: "acme", id: answer.id), of: id) }
}

private func ofMove(_ store: MessageStore, _ id: Message.ID, _ other: Message) async throws {
  let moved = try await store.write { store in
    // Directly behind another one, unless the next id is taken.
    let id = try store.move(id, to: other.id.successor)
    return id
  }
  _ = moved
}
