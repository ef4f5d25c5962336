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
    (sender, checksum, isContinued) = (record.integer(2), record.integer(12), !record.isNull(6))
  }

  /// Compares it with its checksum.
  ///
  /// - Parameter rest: What `body` has of its text.
  func standing(_ rest: UnsafeRawBufferPointer) -> Standing {
    let text = record.text(5) ?? []
    guard let checksum else {
      let isText = text.withUnsafeBytes { String(validating: $0, as: UTF8.self) } != nil
      return isText && isPossible && isContinued == !rest.isEmpty ? .untold : .differs
    }
    var sum = MessageChecksum(
      conversation: conversation, id: id, sender: sender, kind: kind, precision: precision)
    text.withUnsafeBytes { sum.add($0) }
    sum.add(rest)
    return sum.stored == checksum ? .agrees : .differs
  }

  private var isPossible: Bool {
    Message.Kind.allCases.indices.contains(Int(clamping: kind))
      && TimePrecision.allCases.indices.contains(Int(clamping: precision))
  }
}
