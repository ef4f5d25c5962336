package import MessageModel
internal import Synchronization

/// The damage that readers have come upon: each piece is read as well as it can be, and told at the end.
final class DamageNotes: Sendable {
  private let notes = Mutex<(count: Int, first: [String])>((0, []))
  private static let limit = 10

  /// Takes note of something, as a sentence.
  func note(_ sentence: @autoclosure () -> String) {
    notes.withLock { notes in
      notes.count += 1
      if notes.first.count < Self.limit { notes.first.append(sentence()) }
    }
  }

  var all: (count: Int, first: [String]) { notes.withLock { $0 } }
}

extension SynchronousMessageStore {
  /// The number of damaged things read since the store was opened (bytes that are no text, parts of messages and
  /// senders that are not there), and a sentence about each of the first.
  package var damageSeen: (count: Int, first: [String]) { senderNames.damage.all }

  /// Says that something that was read is not what it should be, for ``damageSeen``.
  package func noteDamage(_ sentence: String) { senderNames.damage.note(sentence) }

  /// Returns where the conversation of a record stands among those that are walked; `nil`, which is noted as damage, if
  /// it is none of them.
  package func place(of record: MessageRecord, among conversations: ArraySlice<Conversation.ID>) -> Int? {
    let place = conversations.firstIndex(of: record.message.conversation)
    if place == nil { noteDamage("message #\(record.message.id) is not in its place") }
    return place
  }
}
