internal import MessageModel

/// The number of ids in a list, and some of them, evenly spread: between two of them an ordinal is counted.
struct CountedIDs: Sendable {
  private(set) var total: Int
  /// The first id, and each that is ``distance`` behind the last one, ascending; `nil` if they were not looked at.
  private(set) var marks: [Message.ID]?

  /// The number of ids from one mark to the next.
  static let distance = 256

  init(total: Int, marks: [Message.ID]? = nil) { (self.total, self.marks) = (total, marks) }

  /// Adds an id that is greater than all before.
  mutating func append(_ id: Message.ID) {
    if total.isMultiple(of: Self.distance) { marks?.append(id) }
    total += 1
  }

  /// Returns the last mark that is less than an id, and its ordinal; `nil` if there is none.
  func mark(before id: Message.ID) -> (id: Message.ID, ordinal: Int)? {
    guard let marks else { return nil }
    let next = marks.partitioningIndex { $0 >= id }
    return next > 0 ? (marks[next - 1], (next - 1) * Self.distance) : nil
  }

  /// The number of entries of 16 bytes that it takes.
  var entryCount: Int { 8 + (marks?.count ?? 0) / 2 }
}
