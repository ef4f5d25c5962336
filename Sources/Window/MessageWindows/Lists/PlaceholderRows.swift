public import MessageModel

/// All rows of a selection, with placeholders for messages that are not loaded, for list views with an exact
/// scroll bar.
///
/// Only the messages held are in memory, however many rows there are. When a view reports the rows that it
/// shows, their placeholders become messages:
///
/// ```swift
/// list.send(.showOrdinals(firstVisibleRow..<lastVisibleRow + 1))
/// ```
///
/// While the position of the messages in the selection is unknown, there are rows only for those held. Rows
/// are a view of one state of a list and are computed from its counts: they hold and read
/// nothing of their own.
public struct PlaceholderRows: RandomAccessCollection, Sendable {
  /// A row.
  public enum Row: Hashable, Sendable {
    /// A loaded message.
    case message(Message)
    /// A message that is not loaded, with its ordinal: 0 is the oldest of the selection.
    case placeholder(ordinal: Int)

    /// The message, if it is loaded.
    public var message: Message? {
      switch self {
      case .message(let message): message
      case .placeholder: nil
      }
    }
  }

  /// The loaded messages, oldest first.
  public let messages: [Message]
  /// The index of the first loaded row: its ordinal.
  public let firstLoaded: Int
  /// The number of rows.
  public let count: Int
  /// Whether ``count`` and ``firstLoaded`` are exact. Estimates are corrected later, which adds and removes
  /// rows.
  public let isExact: Bool

  init(_ messages: [Message], _ header: WindowHeader) {
    self.messages = messages
    isExact = header.isExact
    // The source's numbers are not trusted.
    let places = 0...Int(Int32.max)
    firstLoaded = Swift.min(Swift.max(header.firstOrdinal ?? 0, places.lowerBound), places.upperBound)
    let known = header.firstOrdinal == nil || !header.hasNewer ? 0 : header.total ?? 0
    count = Swift.max(Swift.min(known, places.upperBound), firstLoaded + messages.count)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  /// The indices of the loaded rows.
  public var loaded: Range<Int> { firstLoaded..<(firstLoaded + messages.count) }

  /// The row with an ordinal.
  ///
  /// - Complexity: O(1); nothing is read.
  public subscript(index: Int) -> Row {
    precondition(index >= 0 && index < count, "There is no row \(index) of \(count).")
    return loaded.contains(index) ? .message(messages[index - firstLoaded]) : .placeholder(ordinal: index)
  }
}

extension PlaceholderRows.Row: Identifiable {
  /// The identity of a row: its message's or, if that is not loaded, its ordinal.
  public enum ID: Hashable, Sendable {
    /// The message's first id (``Message/identity``).
    case message(Message.ID)
    /// The ordinal in the selection.
    case placeholder(Int)
  }

  public var id: ID {
    switch self {
    case .message(let message): .message(message.identity)
    case .placeholder(let ordinal): .placeholder(ordinal)
    }
  }
}

extension IndexChanges {
  /// Finds the changes between two lists of rows.
  ///
  /// Rows whose message is held before and after stay. Changes among older unknown rows are reported at the
  /// first row, and changes among newer unknown rows at the last.
  ///
  /// - Complexity: O(messages held).
  package init(from old: PlaceholderRows, to new: PlaceholderRows) {
    self.init()
    let inner = IndexChanges(from: old.messages, to: new.messages)
    guard let (before, after) = inner.common(of: old.messages.count) else {
      replace(old, new)
      return
    }
    let first = (old: old.firstLoaded + before.lowerBound, new: new.firstLoaded + after.lowerBound)
    let last = (old: old.firstLoaded + before.upperBound, new: new.firstLoaded + after.upperBound)
    let tail = (old: old.count - last.old, new: new.count - last.new)

    removals.append(range: 0..<max(first.old - first.new, 0))
    removals.append(ranges: inner.removals, within: before, movedBy: old.firstLoaded)
    removals.append(range: (old.count - max(tail.old - tail.new, 0))..<old.count)
    insertions.append(range: 0..<max(first.new - first.old, 0))
    insertions.append(ranges: inner.insertions, within: after, movedBy: new.firstLoaded)
    insertions.append(range: (new.count - max(tail.new - tail.old, 0))..<new.count)
    moves = inner.moves.filter { before.contains($0.source) && after.contains($0.destination) }
      .map { Move(from: old.firstLoaded + $0.source, to: new.firstLoaded + $0.destination) }

    // Rows that are or were loaded, except the common ones.
    let shift = (head: first.new - first.old, tail: last.new - last.old)
    let head = max(min(new.firstLoaded, old.firstLoaded + shift.head), max(shift.head, 0))
    updates.append(range: min(head, first.new)..<first.new)
    updates.append(ranges: inner.updates, within: after, movedBy: new.firstLoaded)
    let end = min(
      max(new.loaded.upperBound, old.loaded.upperBound + shift.tail), last.new + min(tail.old, tail.new))
    updates.append(range: last.new..<max(end, last.new))
  }

  /// Without common rows, rows are added or removed at the end, and all rows that are or were loaded change.
  private mutating func replace(_ old: PlaceholderRows, _ new: PlaceholderRows) {
    let kept = min(old.count, new.count)
    removals.append(range: kept..<old.count)
    insertions.append(range: kept..<new.count)
    let ranges = [old.loaded, new.loaded].map { $0.clamped(to: 0..<kept) }.filter { !$0.isEmpty }
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = max(range.lowerBound, updates.last?.upperBound ?? 0)
      updates.append(range: min(start, range.upperBound)..<range.upperBound)
    }
  }

  /// Returns the ranges, before and after, from the first remaining row to the last.
  private func common(of count: Int) -> (before: Range<Int>, after: Range<Int>)? {
    let first = removals.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0
    let end = removals.last.map { $0.upperBound == count ? $0.lowerBound : count } ?? count
    guard first < end, let start = indexAfter(first), let last = indexAfter(end - 1) else { return nil }
    return (first..<end, start..<(last + 1))
  }
}

extension [Range<Int>] {
  fileprivate mutating func append(ranges: [Range<Int>], within bounds: Range<Int>, movedBy offset: Int) {
    for range in ranges {
      let part = range.clamped(to: bounds)
      append(range: (part.lowerBound + offset)..<(part.upperBound + offset))
    }
  }
}
