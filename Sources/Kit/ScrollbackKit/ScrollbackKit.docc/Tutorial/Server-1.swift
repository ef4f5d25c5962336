import Foundation
import ScrollbackKit

/// Stands for a chat server with a thousand messages.
actor DemoServer {
  struct Item: Sendable {
    var id: String
    var text: String
    var time: Timestamp

    /// The message for a store, with the server's id, so that it is stored only once.
    var message: NewMessage {
      NewMessage(text, from: "ada", at: time, source: .init(platform: "acme", id: id))
    }
  }

  private var items = (1...1_000).map { number in
    let time = Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 60_000)
    return Item(id: "\(number)", text: "message \(number)", time: time)
  }

  /// The messages before a time, oldest first; the newest ones without a time.
  func messages(before time: Timestamp?, limit: Int) -> [Item] {
    items.filter { item in time.map { item.time < $0 } ?? true }.suffix(limit)
  }

  /// Posts a message at the server's time.
  func post(_ text: String) -> Item {
    let item = Item(id: UUID().uuidString, text: text, time: Timestamp(Date()))
    items.append(item)
    return item
  }
}
