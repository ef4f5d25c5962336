public import MessageModel

/// The changes from one list of rows to another, by index, as list views need them.
///
/// ```swift
/// table.deleteRows(changes.removals)    // indices before the change
/// table.insertRows(changes.insertions)  // indices after it
/// table.reloadRows(changes.updates)     // indices after it
/// ```
///
/// A row moves if its message has a new id (``Message/identity`` stays the same). It is among ``removals``
/// and ``insertions`` as well as ``moves``, so that list views that cannot move rows may ignore the latter.
public struct IndexChanges: Hashable, Sendable {
  /// The removed rows: indices before the change, ascending.
  public var removals: [Range<Int>] = []
  /// The inserted rows: indices after the change, ascending.
  public var insertions: [Range<Int>] = []
  /// The remaining rows with other content: indices after the change, ascending.
  public var updates: [Range<Int>] = []
  /// The rows that have moved.
  public var moves: [Move] = []

  /// A row that has moved.
  public struct Move: Hashable, Sendable {
    /// Its index before the change.
    public var source: Int
    /// Its index after it.
    public var destination: Int

    /// Creates a move of a row.
    public init(from source: Int, to destination: Int) {
      self.source = source
      self.destination = destination
    }
  }

  /// Creates empty changes.
  public init() {}

  /// Finds the changes between two lists of messages, both oldest first. A message has changed if its
  /// revision has.
  ///
  /// - Complexity: O(*old* + *new*).
  public init(from old: [Message], to new: [Message]) {
    var next = 0
    for index in new.indices {
      // Copying a message counts references, so it is accessed by index.
      while next < old.count, old[next].id < new[index].id {
        removals.append(index: next)
        next += 1
      }
      guard next < old.count, old[next].id == new[index].id else {
        insertions.append(index: index)
        continue
      }
      if old[next].revision != new[index].revision { updates.append(index: index) }
      next += 1
    }
    removals.append(range: next..<old.count)
    findMoves(from: old, to: new)
  }

  private mutating func findMoves(from old: [Message], to new: [Message]) {
    // Most lists have no moved message.
    let isMoved = { (messages: [Message], ranges: [Range<Int>]) in
      ranges.joined().contains { messages[$0].firstID != nil }
    }
    guard !removals.isEmpty, isMoved(new, insertions) || isMoved(old, removals) else { return }
    let left = Dictionary(removals.joined().map { (old[$0].identity, $0) }, uniquingKeysWith: { a, _ in a })
    for index in insertions.joined() {
      if let source = left[new[index].identity] { moves.append(Move(from: source, to: index)) }
    }
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && updates.isEmpty }

  /// The rows of ``updates`` by their indices before the change, which some list views need.
  public var updatesBefore: [Range<Int>] {
    var before: [Range<Int>] = []
    for index in updates.joined() {
      if let old = indexBefore(index) { before.append(index: old) }
    }
    return before
  }

  /// Returns the index of a row after the change; `nil` if it was removed.
  ///
  /// - Complexity: O(*ranges*).
  public func indexAfter(_ index: Int) -> Int? { Self.moved(index, leaving: removals, entering: insertions) }

  /// Returns the index of a row before the change; `nil` if it was inserted.
  ///
  /// - Complexity: O(*ranges*).
  public func indexBefore(_ index: Int) -> Int? { Self.moved(index, leaving: insertions, entering: removals) }

  private static func moved(_ index: Int, leaving left: [Range<Int>], entering entered: [Range<Int>]) -> Int?
  {
    var moved = index
    for range in left where range.lowerBound <= index {
      if range.contains(index) { return nil }
      moved -= range.count
    }
    for range in entered {
      guard range.lowerBound <= moved else { break }
      moved += range.count
    }
    return moved
  }
}

extension [Range<Int>] {
  /// The index must be greater than all others.
  mutating func append(index: Int) { append(range: index..<(index + 1)) }

  /// The indices must be greater than all others. An empty range is skipped.
  mutating func append(range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
