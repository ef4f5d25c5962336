public import Foundation
public import MessageModel

/// The rows of a chat: grouped messages, and lines for days, unread messages and the ends.
///
/// ```swift
/// var items = MessageRows(firstUnread: firstUnread)
/// for await snapshot in list.snapshots(every: .milliseconds(16)) {
///   table.apply(items.update(with: snapshot))
/// }
/// ```
///
/// It is computed from the messages of a list alone, without a clock or source. Each update computes what is
/// new, keeps the rest, and returns the changes by index. Rows have stable identities (``Row/id``): that of
/// a message is its first id, that of a day its date.
///
/// In changes by index, a line stays only while it is above the same message. When older messages of its day
/// are loaded, the day's line is removed and inserted above the first of them: a view that keeps its first
/// row fixed then keeps a message rather than the line above it.
public struct MessageRows: RandomAccessCollection, Sendable {
  /// A row.
  public enum Row: Hashable, Sendable {
    /// The beginning of the history.
    case beginning
    /// Messages are missing beyond this end (``MessageGap``) and are not being loaded; see
    /// ``MessageList/Snapshot/gap(_:)``.
    case gap(ScrollDirection)
    /// Messages beyond this end are being loaded.
    case loading(ScrollDirection)
    /// Loading messages beyond this end has failed; ``MessageList/Snapshot/header`` and
    /// ``MessageList/Snapshot/edges`` have the error.
    case failed(ScrollDirection)
    /// The beginning of a day.
    case day(Day)
    /// The beginning of the unread messages.
    case unread
    /// A message, and its position in its group.
    case message(Message, group: GroupPosition)

    /// The message, if it is one.
    public var message: Message? {
      if case .message(let message, _) = self { message } else { nil }
    }
  }

  /// The position of a message in a group of adjacent messages that are drawn together.
  public enum GroupPosition: Hashable, Sendable, CaseIterable {
    /// The group has no other message.
    case single
    /// The first of its group.
    case first
    /// Within its group.
    case middle
    /// The last of its group.
    case last

    /// Whether it is the first of its group, which shows the sender.
    public var isFirst: Bool { self == .single || self == .first }
    /// Whether it is the last of its group.
    public var isLast: Bool { self == .single || self == .last }
  }

  /// What is beyond an end of the messages.
  public enum End: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// More messages, perhaps.
    case more
    /// A gap.
    case gap
    /// Messages that are being loaded.
    case loading
    /// Messages that could not be loaded.
    case failed
  }

  /// The messages among the rows, oldest first.
  public private(set) var messages: [Message] = []
  /// The message below the line of unread messages; if it is gone, the line is above the next one. `nil` for
  /// no line.
  ///
  /// It is ``Page/Resolution/message`` of a page at ``PageAnchor/firstUnread``. It does not change while
  /// messages are read; a new value takes effect with the next update.
  public var firstUnread: Message.ID?

  private let grouping: Grouping
  private var clock: DayClock
  private var facts: [MessageFacts] = []
  private var entries: [ItemEntry] = []

  /// Creates an empty list of rows.
  ///
  /// - Parameters:
  ///   - firstUnread: The message below the line of unread messages; `nil` for no line.
  ///   - grouping: Which messages are drawn together.
  ///   - zone: The time zone of the days. A message whose day alone is known belongs to that day in every
  ///     zone.
  public init(
    firstUnread: Message.ID? = nil, grouping: Grouping = .standard, zone: TimeZone = .current
  ) {
    self.firstUnread = firstUnread
    self.grouping = grouping
    clock = DayClock(zone: zone)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  /// The row at an index.
  ///
  /// - Complexity: O(1).
  public subscript(index: Int) -> Row {
    let entry = entries[index]
    return switch entry.kind {
    case .beginning: .beginning
    case .gapOlder: .gap(.older)
    case .loadingOlder: .loading(.older)
    case .failedOlder: .failed(.older)
    case .day: .day(entry.day)
    case .unread: .unread
    case .message: .message(messages[Int(entry.index)], group: entry.group)
    case .gapNewer: .gap(.newer)
    case .loadingNewer: .loading(.newer)
    case .failedNewer: .failed(.newer)
    }
  }

  /// Returns the row of a message, if it has one.
  ///
  /// - Complexity: O(log *rows*).
  public func index(of id: Message.ID) -> Int? {
    let start = messages.partitioningIndex { $0.id >= id }
    guard start < messages.count, messages[start].id == id else { return nil }
    return row(ofMessage: start)
  }

  /// Returns the messages in a range of rows, as indices of ``messages``: the range that a view reports with
  /// ``ListCommand/readerMoved(first:last:rowOffset:seesEnd:)``.
  ///
  /// - Complexity: O(log *rows*).
  public func messageIndices(in rows: Range<Int>) -> Range<Int> {
    let rows = rows.clamped(to: 0..<entries.count)
    let start = rows.lowerBound < entries.count ? Int(entries[rows.lowerBound].index) : messages.count
    guard rows.upperBound > rows.lowerBound else { return start..<start }
    let last = entries[rows.upperBound - 1]
    return start..<Swift.max(start, Int(last.index) + (last.kind == .message ? 1 : 0))
  }

  /// Updates the rows to a snapshot, and returns the changes by index.
  ///
  /// - Complexity: O(*messages held*) in comparisons of numbers; days and groups are computed for new and
  ///   changed messages and their neighbours.
  @discardableResult
  public mutating func update(with snapshot: MessageList.Snapshot) -> IndexChanges {
    update(to: snapshot.messages, older: snapshot.end(.older), newer: snapshot.end(.newer))
  }

  /// Updates the rows to messages, and returns the changes by index.
  ///
  /// - Parameters:
  ///   - messages: The messages, oldest first.
  ///   - older: What is beyond the oldest of them. The line of its day is shown only for ``End/nothing``:
  ///     otherwise the day may begin earlier.
  ///   - newer: What is beyond the newest of them.
  /// - Complexity: O(*messages*) in comparisons of numbers; days and groups are computed for new and changed
  ///   messages and their neighbours.
  @discardableResult
  public mutating func update(to messages: [Message], older: End = .nothing, newer: End = .nothing)
    -> IndexChanges
  {
    let moves = IndexChanges(from: self.messages, to: messages).moves
    let sources = moves.map { row(ofMessage: $0.source) }
    facts = messages.withUnsafeBufferPointer { facts(of: $0) }
    self.messages = messages
    let before = entries
    entries = entries(older: older, newer: newer)
    var changes = ItemEntry.changes(from: before, to: entries)
    changes.moves = zip(sources, moves).map { .init(from: $0, to: row(ofMessage: $1.destination)) }
    return changes
  }

  private func row(ofMessage index: Int) -> Int {
    entries.partitioningIndex { $0.isAtOrBelow(message: index) }
  }

  private mutating func facts(of messages: UnsafeBufferPointer<Message>) -> [MessageFacts] {
    var found: [MessageFacts] = []
    found.reserveCapacity(messages.count)
    var next = 0
    // Whether the message above is the same as before, and unchanged.
    var keepsAbove = false
    for index in messages.indices {
      let (id, revision) = (messages[index].id, messages[index].revision)
      while next < facts.count, facts[next].id < id {
        next += 1
        keepsAbove = false
      }
      let isHeld = next < facts.count && facts[next].id == id
      let isKept = isHeld && facts[next].revision == revision
      var fact =
        isKept ? facts[next] : MessageFacts(id: id, revision: revision, day: clock.day(of: messages[index]))
      if !isKept || !keepsAbove {
        fact.joinsAbove =
          index > 0 && found[index - 1].day == fact.day
          && grouping.joins(messages[index - 1], messages[index])
      }
      found.append(fact)
      keepsAbove = isKept
      if isHeld { next += 1 }
    }
    return found
  }

  private func entries(older: End, newer: End) -> [ItemEntry] {
    let unread = unreadIndex(older: older)
    var days = DayLines()
    var found: [ItemEntry] = []
    found.reserveCapacity(facts.count + 16)
    let top = facts.first?.id ?? .highest
    if let kind = ItemEntry.Kind(older: older) { found.append(ItemEntry(kind, above: top, index: 0)) }
    for (index, fact) in facts.enumerated() {
      let beginsDay = index == 0 ? older == .nothing : facts[index - 1].day != fact.day
      if beginsDay {
        found.append(
          ItemEntry(.day, above: fact.id, index: index, value: days.value(ofLineFor: fact.day)))
      }
      if index == unread { found.append(ItemEntry(.unread, above: fact.id, index: index)) }
      let joinsBelow = index + 1 < facts.count && index + 1 != unread && facts[index + 1].joinsAbove
      found.append(
        ItemEntry(
          .message, above: fact.id, index: index, value: Int64(fact.revision),
          group: GroupPosition(joinsAbove: fact.joinsAbove && index != unread, joinsBelow: joinsBelow)))
    }
    if let kind = ItemEntry.Kind(newer: newer) {
      found.append(ItemEntry(kind, above: .highest, index: facts.count))
    }
    return found
  }

  /// `nil` if the line is not known to be among these messages.
  private func unreadIndex(older: End) -> Int? {
    guard let firstUnread else { return nil }
    let index = facts.partitioningIndex { $0.id >= firstUnread }
    guard index < facts.count else { return nil }
    return index > 0 || older == .nothing || facts[0].id == firstUnread ? index : nil
  }
}

extension MessageRows.Row: Identifiable {
  /// The identity of a row, unique in its list.
  public enum ID: Hashable, Sendable {
    /// The beginning of the history.
    case beginning
    /// The row of a gap.
    case gap(ScrollDirection)
    /// The row of messages being loaded.
    case loading(ScrollDirection)
    /// The row of a failure to load.
    case failed(ScrollDirection)
    /// A day's line, by its date.
    case day(MessageRows.Day)
    /// The line of unread messages.
    case unread
    /// A message, by its first id (``Message/identity``).
    case message(Message.ID)
  }

  public var id: ID {
    switch self {
    case .beginning: .beginning
    case .gap(let direction): .gap(direction)
    case .loading(let direction): .loading(direction)
    case .failed(let direction): .failed(direction)
    case .day(let day): .day(day)
    case .unread: .unread
    case .message(let message, _): .message(message.identity)
    }
  }
}

extension MessageRows {
  /// A day, for the line above its first message.
  public struct Day: Hashable, Sendable {
    /// The number of days since 1970-01-01.
    package let daysSince1970: Int
    /// The number of lines of the same day above this one. It is 0, unless messages of another day are
    /// between those of this day, which is possible where only the day is known.
    package let repetition: Int

    /// Creates a day.
    public init(_ daysSince1970: Int, repetition: Int = 0) {
      self.daysSince1970 = daysSince1970
      self.repetition = repetition
    }

    /// The date; its time is midnight.
    public var date: CivilTime { CivilTime(daysSince1970: daysSince1970) }
  }
}

extension MessageRows.GroupPosition {
  fileprivate init(joinsAbove: Bool, joinsBelow: Bool) {
    self = joinsAbove ? (joinsBelow ? .middle : .last) : (joinsBelow ? .first : .single)
  }
}

extension MessageList.Snapshot {
  fileprivate func end(_ direction: ScrollDirection) -> MessageRows.End {
    let reading = direction == .older ? header.readingOlder : header.readingNewer
    switch (reading, edges[direction]) {
    case (.reading, _), (_, .loading): return .loading
    case (.failed, _), (_, .failed): return .failed
    case (.idle, .idle), (.idle, .endReached): break
    }
    if messages.isEmpty, direction == .older {
      switch header.jumping {
      case .reading: return .loading
      case .failed: return .failed
      case .idle: break
      }
    }
    if gap(direction) != nil { return .gap }
    return holdsAll(direction) ? .nothing : .more
  }
}
