import Foundation
import ScrollbackKit

let store = try await MessageStore(path: "chats.db")
let room = try await store.write { try $0.makeConversationIfNeeded(named: "general") }
print(room.messageCount, "messages are here")

let server = DemoServer()
if room.messageCount == 0 {
  let newest = await server.messages(before: nil, limit: 50)
  try await store.write { store in
    try store.setGap(in: room.id)
    try store.fillGap(MessageGap(in: room.id), .newest, with: newest.map(\.message))
  }
}
print(try await store.read { try $0.gaps(of: room.id) }.count, "gaps")

let loader = EdgeLoader { request in
  guard let gap = request.gap else { return .endReached }
  let items = await server.messages(before: request.time, limit: 100)
  try await store.write { store in
    try store.fillGap(gap, items.count < 100 ? .all : .newest, with: items.map(\.message))
  }
  return .loaded
}

let list = MessageList(Selection(room.id), in: store, edgeLoader: loader)
let newest = await list.perform(.jump(to: .newest))
print(newest.messages.suffix(3).map(\.text))

for await snapshot in list.snapshots() {
  if snapshot.holdsAll(.older) { break }
  if case .loading = snapshot.edges.older { continue }
  list.send(.scroll(.older))
}
let oldest = await list.current
print(oldest.messages.prefix(3).map(\.text), "of", oldest.header.total ?? 0)

var rows = MessageRows()
rows.update(with: oldest)
for row in rows.prefix(8) {
  switch row {
  case .beginning: print("Here it begins")
  case .day(let day): print("—", day.date.year, day.date.month, day.date.day, "—")
  case .message(let message, let group):
    print(group.isFirst ? "\(message.sender?.name ?? "*"):" : "    ", message.text)
  default: print("…")
  }
}

let own = try await store.append(
  [
    NewMessage(
      "Hello", from: "me", source: .init(platform: "outbox", id: UUID().uuidString),
      sendingState: .waiting)
  ], to: room.id)[0]
let answer = await server.post("Hello")
try await store.write { store in
  try store.setSource(.init(platform: "acme", id: answer.id), of: own)
  let sent = try store.move(own, to: answer.time)
  try store.setSendingState(.sent, of: sent)
}

let mine = try await Selection(matching: "from:me hello", in: store)
print(await list.perform(.select(mine)).messages.map(\.text))
await list.close()
await store.close()
