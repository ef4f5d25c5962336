internal import MessageModel

/// A row of `message` as found, before its checksum is compared.
struct SalvagedMessage {
  let record: TreeRecord
  let conversation: Int64
  let id: Int64
  let sender: Int64?
  let kind: Int64
  let precision: Int64
  let checksum: Int64?
  /// Whether `body` has the rest of the text.
  let isContinued: Bool
  /// Whether its time differs from that of its place.
  let hasOwnTime: Bool

  enum Origin: Int64 {
    /// The tree of messages leads to it.
    case tree
    /// On an unreferenced page.
    case sweep
    /// Within a damaged page.
    case carving
  }

  enum Standing {
    case agrees, differs
    /// Without a checksum.
    case untold
  }

  init?(_ record: TreeRecord) {
    guard let conversation = record.integer(0), (1...Checker.maxID).contains(conversation),
      let id = record.integer(1), let kind = record.integer(3), let precision = record.integer(4)
    else { return nil }
    self.record = record
    (self.conversation, self.id, self.kind, self.precision) = (conversation, id, kind, precision)
    (sender, isContinued) = (record.integer(2), !record.isNull(6))
    hasOwnTime = (record.integer(10) ?? 0) & MessageRow.Feature.writtenAt != 0
    checksum = record.integer(12)
  }

  func standing(_ rest: UnsafeRawBufferPointer, writtenAt: Int64?) -> Standing {
    let text = record.text(5) ?? []
    // Without the time it covers, a checksum is inconclusive.
    guard let checksum, hasOwnTime == (writtenAt != nil) else {
      let isText = text.withUnsafeBytes { String(validating: $0, as: UTF8.self) } != nil
      return isText && isPossible && isContinued == !rest.isEmpty ? .untold : .differs
    }
    var sum = MessageChecksum(
      conversation: conversation, id: id, sender: sender, kind: kind, precision: precision,
      writtenAt: writtenAt)
    text.withUnsafeBytes { sum.add($0) }
    sum.add(rest)
    return sum.stored == checksum ? .agrees : .differs
  }

  private var isPossible: Bool {
    Message.Kind.allCases.indices.contains(Int(clamping: kind))
      && TimePrecision.allCases.indices.contains(Int(clamping: precision))
  }
}
