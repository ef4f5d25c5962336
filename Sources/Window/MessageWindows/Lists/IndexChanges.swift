public import MessageModel

/// The changes that turn one list of rows into another, by index, as list views want them.
///
/// ```swift
/// table.deleteRows(changes.removals)    // indices before the change
/// table.insertRows(changes.insertions)  // indices after it
/// table.reloadRows(changes.updates)     // indices after it
/// ```
///
/// A row that moves, since its message was given another place (``Message/identity``), is among ``removals`` and ``insertions``
/// as well as in ``moves``: a list view that cannot move rows need not know.
public struct IndexChanges: Hashable, Sendable {
  /// The rows that are gone: indices before the change, ascending.
  public var removals: [Range<Int>] = []
  /// The rows that have come: indices after the change, ascending.
  public var insertions: [Range<Int>] = []
  /// The rows that have stayed and show something else: indices after the change, ascending.
  public var updates: [Range<Int>] = []
  /// The rows that are gone from one place and have come at another.
  public var moves: [Move] = []

  /// A row that is gone from one place and has come at another.
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

  /// Creates changes that change nothing.
  public init() {}

  /// Finds what turns messages into others, both oldest first. A message has changed if its revision has.
  ///
  /// - Complexity: O(*old* + *new*).
  public init(from old: [Message], to new: [Message]) {
    var next = 0
    for index in new.indices {
      // By index and not by element: copying a message counts references.
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

  /// Finds which of the messages that are gone have come elsewhere.
  private mutating func findMoves(from old: [Message], to new: [Message]) {
    // Most lists have no message that was ever moved.
    let isMoved = { (messages: [Message], ranges: [Range<Int>]) in
      ranges.joined().contains { messages[$0].firstID != nil }
    }
    guard !removals.isEmpty, isMoved(new, insertions) || isMoved(old, removals) else { return }
    let left = Dictionary(removals.joined().map { (old[$0].identity, $0) }, uniquingKeysWith: { a, _ in a })
    for index in insertions.joined() {
      if let source = left[new[index].identity] { moves.append(Move(from: source, to: index)) }
    }
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && updates.isEmpty }

  /// The rows of ``updates``, by their indices before the change: some list views ask for these.
  public var updatesBefore: [Range<Int>] {
    var before: [Range<Int>] = []
    for index in updates.joined() {
      if let old = indexBefore(index) { before.append(index: old) }
    }
    return before
  }

  /// Returns where a row is after the change; `nil` if it is gone.
  ///
  /// - Complexity: O(*ranges*).
  public func indexAfter(_ index: Int) -> Int? { Self.moved(index, leaving: removals, entering: insertions) }

  /// Returns where a row was before the change; `nil` if it was not there.
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
  /// Adds an index that is greater than all there are.
  mutating func append(index: Int) { append(range: index..<(index + 1)) }

  /// Adds indices that are greater than all there are; none if the range is empty.
  mutating func append(range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
