import Foundation
import ScrollbackKit

let store = try await MessageStore(path: "chats.db")
let room = try await store.write { try $0.makeConversationIfNeeded(named: "general") }
print(room.messageCount, "messages are here")
