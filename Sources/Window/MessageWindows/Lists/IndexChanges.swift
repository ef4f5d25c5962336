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
    package init(from source: Int, to destination: Int) {
      self.source = source
      self.destination = destination
    }
  }

  /// Creates empty changes.
  package init() {}

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

  /// The changes as one batch update of a `UICollectionView` or `UITableView`: its steps are carried out at
  /// once.
  ///
  /// The view's own copy of the rows is replaced within `performBatchUpdates`, and ``Batch/reloads`` are
  /// reloaded or reconfigured after it.
  public var batch: Batch {
    let (sources, destinations) = (Set(moves.map(\.source)), Set(moves.map(\.destination)))
    return Batch(
      deletes: removals.joined().filter { !sources.contains($0) },
      inserts: insertions.joined().filter { !destinations.contains($0) }, moves: moves,
      reloads: (updates.joined() + moves.map(\.destination)).sorted())
  }

  /// The changes one after the other, as an `NSTableView` carries them out: each index is that of the moment.
  ///
  /// Carry them out between `beginUpdates` and `endUpdates`.
  ///
  /// - Complexity: O(*removed* + *inserted* + *moved*²).
  public var steps: [Step] {
    let batch = batch
    let reloads = batch.reloads.asRanges.map { Step.reload($0) }
    return batch.deletes.asRanges.reversed().map { Step.remove($0) } + moveSteps(batch)
      + batch.inserts.asRanges.map { Step.insert($0) } + reloads
  }

  /// Moves rows from the first destination to the last, between what is removed before and inserted after.
  private func moveSteps(_ batch: Batch) -> [Step] {
    let moves = batch.moves.sorted { $0.destination < $1.destination }
    var waiting = moves.map { $0.source - batch.deletes.partitioningIndex(before: $0.source) }
    var steps: [Step] = []
    for (number, move) in moves.enumerated() {
      let row = waiting[number]
      // Its place among the rows that do not wait to be moved, and behind those of the latter that are above.
      let place = move.destination - batch.inserts.partitioningIndex(before: move.destination)
      var target = place
      for other in waiting[(number + 1)...].sorted() where other - (other > row ? 1 : 0) < target {
        target += 1
      }
      steps.append(.move(from: row, to: target))
      for later in waiting.indices.dropFirst(number + 1) {
        if waiting[later] > row { waiting[later] -= 1 }
        if waiting[later] >= target { waiting[later] += 1 }
      }
    }
    return steps
  }

  /// The steps of ``batch``, by kind.
  public struct Batch: Hashable, Sendable {
    /// Rows to delete, by their indices before.
    public let deletes: [Int]
    /// Rows to insert, by their indices after.
    public let inserts: [Int]
    /// Rows to move, neither deleted nor inserted.
    public let moves: [Move]
    /// Rows with other content, by their indices after: reload them when the batch is done.
    public let reloads: [Int]
  }

  /// A step of ``steps``.
  public enum Step: Hashable, Sendable {
    /// Remove rows.
    case remove(Range<Int>)
    /// Remove a row and insert it at an index, counted without it.
    case move(from: Int, to: Int)
    /// Insert rows, which have these indices then.
    case insert(Range<Int>)
    /// Reload rows.
    case reload(Range<Int>)
  }

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

extension [Int] {
  /// Ascending numbers as ranges.
  fileprivate var asRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for number in self { ranges.append(index: number) }
    return ranges
  }

  /// The number of ascending numbers that are less than another.
  fileprivate func partitioningIndex(before number: Int) -> Int { partitioningIndex { $0 >= number } }
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
