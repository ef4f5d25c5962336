internal import MessageModel

/// The length of a list of ids, and evenly spread ids of it, between which ordinals are counted.
struct CountedIDs: Sendable {
  private(set) var total: Int
  /// The first id and every ``distance``-th after it, ascending; `nil` if the ids were not read.
  private(set) var marks: [Message.ID]?

  static let distance = 256

  init(total: Int, marks: [Message.ID]? = nil) { (self.total, self.marks) = (total, marks) }

  mutating func append(_ id: Message.ID) {
    if total.isMultiple(of: Self.distance) { marks?.append(id) }
    total += 1
  }

  func mark(before id: Message.ID) -> (id: Message.ID, ordinal: Int)? {
    guard let marks else { return nil }
    let next = marks.partitioningIndex { $0 >= id }
    return next > 0 ? (marks[next - 1], (next - 1) * Self.distance) : nil
  }

  var entryCount: Int { 8 + (marks?.count ?? 0) / 2 }
}
