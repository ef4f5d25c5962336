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
