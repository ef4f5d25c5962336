internal import MessageModel

final class BatchConversations {
  let batch: ImportBatch
  /// Slots in ``LoadState``.
  var slots: [Int?]
  private var samples: [[Int]]?

  private static let edge = 8

  init(_ batch: ImportBatch) {
    self.batch = batch
    slots = Array(repeating: nil, count: batch.conversations.count)
  }

  /// Returns a few of the first and last entries of a conversation, by which the store may recognise it.
  func sample(of conversation: Int) -> [Int] {
    if let samples { return samples[conversation] }
    var (first, last) = (slots.map { _ in [Int]() }, slots.map { _ in [Int]() })
    for (index, entry) in batch.entries.enumerated() {
      let place = Int(entry.conversation)
      if first[place].count < Self.edge { first[place].append(index) }
    }
    for (index, entry) in batch.entries.enumerated().reversed() {
      let place = Int(entry.conversation)
      let isBehind = first[place].last.map { $0 < index } ?? false
      if last[place].count < Self.edge, isBehind { last[place].append(index) }
    }
    let all = zip(first, last).map { $0 + $1 }
    samples = all
    return all[conversation]
  }
}
