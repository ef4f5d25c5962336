import Foundation
import HistoryQueries
import ScrollbackKit

/// A message as JSON. Ids are strings: JavaScript's numbers are exact up to 2^53 only.
struct MessageAnswer: Encodable {
  var id: String
  var time: Double
  var sender: String?
  var text: String

  init(_ message: Message) {
    id = message.id.description
    time = Double(message.time.millisecondsSince1970)
    sender = message.sender?.name
    text = message.text
  }
}

struct PageAnswer: Encodable {
  var messages: [MessageAnswer]
  var hasOlder: Bool
  var hasNewer: Bool
  var firstOrdinal: Int?
  var total: Int?
  var version: String
}

struct ChangesAnswer: Encodable {
  var version: String
  var isEverything: Bool
  var changed: [String]
  var deleted: [String]

  init(_ changes: MessageChanges) {
    version = changes.version.description
    isEverything = changes.isEverything
    changed = (changes.inserted + changes.edited).map(\.description)
    deleted = changes.deleted.map(\.description)
  }
}
