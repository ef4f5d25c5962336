internal import MessageModel

struct EntryGroup {
  let batch: ImportBatch
  let bytes: UnsafeRawBufferPointer
  let range: Range<Int>
  /// Its index in ``LoadState``'s conversations.
  let slot: Int
  let isLast: Bool

  func label(_ merged: [UInt64: UInt64]) -> HistoryLabel {
    let conversation = Int(first.conversation)
    return HistoryLabel(
      own: batch.nameHash(ofConversation: conversation),
      merged: merged.isEmpty ? nil : merged[batch.key(ofConversation: conversation).hash])
  }

  var first: ImportBatch.Entry { batch.entries[range.lowerBound] }

  func intervalKey(_ conversation: Int64) -> LoadState.IntervalKey {
    LoadState.IntervalKey(
      conversation: conversation, time: first.time.millisecondsSince1970, precision: first.precision)
  }

  /// The group ends with its interval, or at a message that the file repeats: the next group recognises that.
  static func end(ofGroupAt start: Int, in batch: ImportBatch, before limit: Int) -> Int {
    func identity(_ index: Int) -> String? {
      guard let source = batch.details[index]?.source, let id = source.id else { return nil }
      return "\(source.platform)/\(id)"
    }
    var end = start + 1
    var identities: Set<String> = []
    while end < limit, batch.entries[end].sharesInterval(with: batch.entries[start]) {
      if !batch.details.isEmpty {
        if identities.isEmpty, let first = identity(start) { identities.insert(first) }
        if let own = identity(end), !identities.insert(own).inserted { return end }
      }
      end += 1
    }
    return end
  }
}
