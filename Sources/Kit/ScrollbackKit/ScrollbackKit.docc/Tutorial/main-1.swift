import Foundation
import ScrollbackKit

let store = try await MessageStore(path: "chats.db")
let room = try await store.makeConversationIfNeeded(named: "general")
print(room.messageCount, "messages are here")
