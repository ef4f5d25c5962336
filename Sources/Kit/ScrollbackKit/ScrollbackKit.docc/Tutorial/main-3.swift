import Foundation
import ScrollbackKit

let store = try await MessageStore(path: "chats.db")
let room = try await store.makeConversationIfNeeded(named: "general")
print(room.messageCount, "messages are here")

let server = DemoServer()
if room.messageCount == 0 {
  try await store.setGap(in: room.id)
  let newest = await server.messages(before: nil, limit: 50)
  try await store.fillGap(MessageGap(in: room.id), .newest, with: newest.map(\.message))
}
print(try await store.gaps(of: room.id).count, "gaps")

let loader = EdgeLoader(at: []) { request in
  guard let gap = request.gap else { return .endReached }
  let items = await server.messages(before: request.time, limit: 100)
  try await store.fillGap(gap, items.count < 100 ? .all : .newest, with: items.map(\.message))
  return .loaded
}
