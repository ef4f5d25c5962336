public import Foundation
public import MessageModel

/// The rows of a list as a chat shows them: messages in groups, with lines for days, for what is unread, and for the ends.
///
/// ```swift
/// var items = MessageItems(firstUnread: firstUnread)
/// for await snapshot in list.snapshots(every: .milliseconds(16)) {
///   table.apply(items.update(with: snapshot))
/// }
/// ```
///
/// It is derived from what a list holds, and nothing else: no clock, no source. Each update works out what is new, keeps what
/// is known of the rest, and returns the changes by index. Rows have identities that stay (``Item/id``): a message's is
/// the id that it came with, a day's is its date.
///
/// By index a line stays as long as it stands above the same message. One that comes to stand above another, as the line of a
/// day does when older messages of that day are loaded, is taken away there and put in here: who keeps their first row in place
/// keeps a message then, and not the line above it.
public struct MessageItems: RandomAccessCollection, Sendable {
  /// A row.
  public enum Item: Hashable, Sendable {
    /// Nothing is older than what comes below: the beginning of the history.
    case beginning
    /// Something is missing beyond this end (``MessageGap``), and is not being loaded: ``MessageList/Snapshot/gap(_:)`` says what.
    case gap(MessageWindow.Direction)
    /// More is being loaded beyond this end.
    case loading(MessageWindow.Direction)
    /// Loading more beyond this end has failed; ``MessageList/Snapshot/header`` and ``MessageList/Snapshot/edges`` say why.
    case failed(MessageWindow.Direction)
    /// A day begins.
    case day(Day)
    /// The messages below are unread.
    case unread
    /// A message, and its place in its group.
    case message(Message, group: GroupPosition)

    /// The message, if it is one.
    public var message: Message? {
      if case .message(let message, _) = self { message } else { nil }
    }
  }

  /// The place of a message in a group: neighbours that are drawn together.
  public enum GroupPosition: Hashable, Sendable, CaseIterable {
    /// It is a group of its own.
    case single
    /// The group begins with it.
    case first
    /// It is inside of the group.
    case middle
    /// The group ends with it.
    case last

    /// Whether it begins its group: the row that shows who wrote it.
    public var isFirst: Bool { self == .single || self == .first }
    /// Whether it ends its group.
    public var isLast: Bool { self == .single || self == .last }
  }

  /// The row beyond an end of the messages.
  public enum End: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// There is more, or it is unknown whether there is.
    case more
    /// There is more, which is not here.
    case gap
    /// There is more, which is being loaded.
    case loading
    /// There is more, which could not be loaded.
    case failed
  }

  /// The messages among the rows, oldest first.
  public private(set) var messages: [Message] = []
  /// The message above which the line of the unread ones stands, or above the first that is left after it; `nil` for no line.
  ///
  /// It is given by whoever opens the list, as ``Page/Resolution/message`` of a page at ``PageAnchor/firstUnread`` says it, and
  /// stays while one reads. Another one is seen with the next update.
  public var firstUnread: Message.ID?

  private let grouping: Grouping
  private var clock: DayClock
  private var facts: [MessageFacts] = []
  private var entries: [ItemEntry] = []

  /// Creates rows of nothing.
  ///
  /// - Parameters:
  ///   - firstUnread: The message above which the line of the unread ones stands; `nil` for no line.
  ///   - grouping: Which messages are drawn together.
  ///   - zone: The time zone whose days are told. A message of which the day alone is known is of that day in each zone.
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
  public subscript(index: Int) -> Item {
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

  /// Returns the row of a message; `nil` if it is not among them.
  ///
  /// - Complexity: O(log *rows*).
  public func index(of id: Message.ID) -> Int? {
    let start = messages.partitioningIndex { $0.id >= id }
    guard start < messages.count, messages[start].id == id else { return nil }
    return row(ofMessage: start)
  }

  /// Returns which messages are among rows, by their indices in ``messages``: what a view that shows these rows tells its list
  /// by ``MessageWindow/Command/readerMoved(first:last:rowOffset:seesEnd:)``.
  ///
  /// - Complexity: O(log *rows*).
  public func messageIndices(in rows: Range<Int>) -> Range<Int> {
    let rows = rows.clamped(to: 0..<entries.count)
    let start = rows.lowerBound < entries.count ? Int(entries[rows.lowerBound].index) : messages.count
    guard rows.upperBound > rows.lowerBound else { return start..<start }
    let last = entries[rows.upperBound - 1]
    return start..<Swift.max(start, Int(last.index) + (last.kind == .message ? 1 : 0))
  }

  // MARK: Updates

  /// Makes these the rows of a snapshot, and returns what has changed among them by index.
  ///
  /// - Complexity: O(*messages held*) in comparisons of numbers; days and groups are worked out for what is new or changed, and
  ///   for its neighbours.
  @discardableResult
  public mutating func update(with snapshot: MessageList.Snapshot) -> IndexChanges {
    update(to: snapshot.messages, older: snapshot.end(.older), newer: snapshot.end(.newer))
  }

  /// Makes these the rows of messages, and returns what has changed among them by index.
  ///
  /// - Parameters:
  ///   - messages: The messages, oldest first.
  ///   - older: What lies beyond the oldest of them. The line of its day is shown once nothing does: before, it is unknown
  ///     whether the day begins there.
  ///   - newer: What lies beyond the newest of them.
  /// - Complexity: O(*messages*) in comparisons of numbers; days and groups are worked out for what is new or changed, and for
  ///   its neighbours.
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

  /// The index of the row of the message at an index.
  private func row(ofMessage index: Int) -> Int {
    entries.partitioningIndex { $0.isAtOrBelow(message: index) }
  }

  /// Works out what is not known of the messages yet, both oldest first.
  private mutating func facts(of messages: UnsafeBufferPointer<Message>) -> [MessageFacts] {
    var found: [MessageFacts] = []
    found.reserveCapacity(messages.count)
    var next = 0
    // Whether the message above is the one that was above before, and unchanged.
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

  /// The index of the message above which the line of the unread ones stands; `nil` if it is not known to be among these.
  private func unreadIndex(older: End) -> Int? {
    guard let firstUnread else { return nil }
    let index = facts.partitioningIndex { $0.id >= firstUnread }
    guard index < facts.count else { return nil }
    return index > 0 || older == .nothing || facts[0].id == firstUnread ? index : nil
  }
}

extension MessageItems.Item: Identifiable {
  /// The identity of a row, which no other row of its list has.
  public enum ID: Hashable, Sendable {
    /// That of the beginning.
    case beginning
    /// That of the row which says that something is missing.
    case gap(MessageWindow.Direction)
    /// That of the row which says that more is being loaded.
    case loading(MessageWindow.Direction)
    /// That of the row which says that loading more has failed.
    case failed(MessageWindow.Direction)
    /// That of a day's line: its date.
    case day(MessageItems.Day)
    /// That of the line of the unread messages.
    case unread
    /// That of a message: the id that it came with (``Message/identity``).
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

extension MessageItems {
  /// A day, for the line above its first message.
  public struct Day: Hashable, Sendable {
    /// The number of days from 1970-01-01 to it.
    public let daysSince1970: Int
    /// The number of lines of the same day that stand above this one: 0, except where a message of an earlier day
    /// stands between messages of a later one, as one may of which the day alone is known.
    public let repetition: Int

    /// Creates a day.
    public init(_ daysSince1970: Int, repetition: Int = 0) {
      self.daysSince1970 = daysSince1970
      self.repetition = repetition
    }

    /// The date; its time is midnight.
    public var date: CivilTime { CivilTime(daysSince1970: daysSince1970) }
  }
}

extension MessageItems.GroupPosition {
  fileprivate init(joinsAbove: Bool, joinsBelow: Bool) {
    self = joinsAbove ? (joinsBelow ? .middle : .last) : (joinsBelow ? .first : .single)
  }
}

extension MessageList.Snapshot {
  /// Returns the state beyond an end of the messages held.
  fileprivate func end(_ direction: MessageWindow.Direction) -> MessageItems.End {
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
