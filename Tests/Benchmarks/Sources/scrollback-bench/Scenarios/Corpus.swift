import CBaseline
import MessageModel
import MessageSourceTesting
import MessageStorage

/// The history that is measured within the library: a store that has been filled, the same file open for C, and its
/// largest conversation.
struct Corpus {
  let store: SynchronousMessageStore
  let baseline: OpaquePointer
  /// The largest conversation.
  let conversation: Conversation

  /// Opens a store that has been filled.
  init(path: String) throws {
    store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    guard let conversation = try store.conversations().max(by: { $0.messageCount < $1.messageCount }) else {
      throw StoreError(.notFound, "cannot measure '\(path)'", cause: "it has no conversation")
    }
    guard let baseline = cbaseline_open(path, 0) else { throw Baseline.failure("cannot read '\(path)'") }
    self.baseline = baseline
    self.conversation = conversation
  }

  /// Draws the number of a message of the conversation.
  func randomOrdinal(_ dice: inout SeededGenerator) -> Int {
    Int(dice.next() % UInt64(conversation.messageCount))
  }

  /// Draws a message of the conversation.
  func randomMessage(_ dice: inout SeededGenerator) throws -> Message? {
    let request = PageRequest(
      Selection(conversation.id), anchor: .ordinal(randomOrdinal(&dice)), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first
  }

  /// Reads in C the messages of the conversation before an id.
  func readPlainly(before id: Message.ID, _ count: Int) throws {
    guard cbaseline_page(baseline, conversation.id.rawValue, id.rawValue, Int32(count)) >= 0 else {
      throw Baseline.failure("cannot read a page")
    }
  }

  /// Reads in C the messages of the conversation from the newest on, the first ones left out by SQL's OFFSET.
  func readPlainly(offset: Int, _ count: Int) throws {
    guard cbaseline_offset(baseline, conversation.id.rawValue, Int64(offset), Int32(count)) >= 0 else {
      throw Baseline.failure("cannot read a page")
    }
  }
}
