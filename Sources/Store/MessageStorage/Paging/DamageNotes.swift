package import MessageModel
internal import Synchronization

final class DamageNotes: Sendable {
  private let notes = Mutex<(count: Int, first: [String])>((0, []))
  private static let limit = 10

  func note(_ sentence: @autoclosure () -> String) {
    notes.withLock { notes in
      notes.count += 1
      if notes.first.count < Self.limit { notes.first.append(sentence()) }
    }
  }

  var all: (count: Int, first: [String]) { notes.withLock { $0 } }
}

extension SynchronousMessageStore {
  /// The number of damaged items read since the store was opened (invalid text, missing parts and senders),
  /// and a sentence about each of the first.
  package var damageSeen: (count: Int, first: [String]) { senderNames.damage.all }

  /// Adds to ``damageSeen``.
  package func noteDamage(_ sentence: String) { senderNames.damage.note(sentence) }

  /// Returns the index of a record's conversation; `nil`, noted as damage, if it is not among them.
  package func place(of record: MessageRecord, among conversations: ArraySlice<Conversation.ID>) -> Int? {
    let place = conversations.firstIndex(of: record.message.conversation)
    if place == nil { noteDamage("message #\(record.message.id) is not in its place") }
    return place
  }
}
