internal import MessageModel

/// A row of `message` as it was found, before it is known whether it is what was written.
struct SalvagedMessage {
  let record: TreeRecord
  let conversation: Int64
  let id: Int64
  let sender: Int64?
  let kind: Int64
  let precision: Int64
  let checksum: Int64?
  /// Whether the text goes on in `body`.
  let isContinued: Bool
  /// Whether it was written at another time than that of its place.
  let hasOwnTime: Bool

  /// The way in which it was found.
  enum Origin: Int64 {
    /// The tree of messages led to it.
    case tree
    /// On a page to which nothing leads.
    case sweep
    /// By its bytes, on a page that is damaged.
    case carving
  }

  /// The verdict of its checksum.
  enum Standing {
    case agrees, differs
    /// It has none.
    case untold
  }

  /// Reads a row; `nil` if its conversation cannot be one.
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

  /// Compares it with its checksum.
  ///
  /// - Parameters:
  ///   - rest: What `body` has of its text.
  ///   - writtenAt: When it was written, where that is not the time of its place.
  func standing(_ rest: UnsafeRawBufferPointer, writtenAt: Int64?) -> Standing {
    let text = record.text(5) ?? []
    // Without the time that it covers, a checksum tells nothing.
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
