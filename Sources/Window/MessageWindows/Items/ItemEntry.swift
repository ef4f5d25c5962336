import MessageModel

/// The facts of a message, kept while it is held unchanged.
struct MessageFacts {
  var id: Message.ID
  var revision: Int
  /// Days since 1970.
  var day: Int32
  var joinsAbove = false

  init(id: Message.ID, revision: Int, day: Int) {
    self.id = id
    self.revision = revision
    self.day = Int32(day)
  }
}

/// A row without its message, for comparing rows without copying messages.
struct ItemEntry {
  /// In the order in which rows stand around a message.
  enum Kind: UInt8 {
    case beginning, gapOlder, loadingOlder, failedOlder, day, unread, message, gapNewer, loadingNewer,
      failedNewer
  }

  let kind: Kind
  let group: MessageRows.GroupPosition
  let index: Int32
  /// The message's id; rows below all messages have the highest possible id.
  let id: Message.ID
  /// For a message its revision, for a day's line the day.
  let value: Int64

  init(
    _ kind: Kind, above id: Message.ID, index: Int, value: Int64 = 0,
    group: MessageRows.GroupPosition = .single
  ) {
    self.kind = kind
    self.id = id
    self.index = Int32(clamping: index)
    self.value = value
    self.group = group
  }

  var day: MessageRows.Day {
    MessageRows.Day(Int(Int32(truncatingIfNeeded: value)), repetition: Int(value >> 32))
  }

  func isAtOrBelow(message place: Int) -> Bool {
    index > place || (index == place && kind.rawValue >= Kind.message.rawValue)
  }

  /// Orders rows of one message by kind; rows below all messages come last.
  private func precedes(_ other: ItemEntry) -> Bool {
    if isBelowAll != other.isBelowAll { return other.isBelowAll }
    return id != other.id ? id < other.id : kind.rawValue < other.kind.rawValue
  }

  private var isBelowAll: Bool { kind.rawValue > Kind.message.rawValue }

  private func isSame(as other: ItemEntry) -> Bool {
    kind == other.kind && id == other.id && (kind == .message || value == other.value)
  }

  static func changes(from old: [ItemEntry], to new: [ItemEntry]) -> IndexChanges {
    var changes = IndexChanges()
    var next = 0
    for index in new.indices {
      while next < old.count, old[next].precedes(new[index]) {
        changes.removals.append(index: next)
        next += 1
      }
      guard next < old.count, old[next].isSame(as: new[index]) else {
        changes.insertions.append(index: index)
        continue
      }
      if old[next].value != new[index].value || old[next].group != new[index].group {
        changes.updates.append(index: index)
      }
      next += 1
    }
    changes.removals.append(range: next..<old.count)
    return changes
  }
}

extension ItemEntry.Kind {
  init?(older end: MessageRows.End) {
    switch end {
    case .nothing: self = .beginning
    case .more: return nil
    case .gap: self = .gapOlder
    case .loading: self = .loadingOlder
    case .failed: self = .failedOlder
    }
  }

  init?(newer end: MessageRows.End) {
    switch end {
    case .nothing, .more: return nil
    case .gap: self = .gapNewer
    case .loading: self = .loadingNewer
    case .failed: self = .failedNewer
    }
  }
}

/// Numbers the lines of a day, so that each has its own identity.
struct DayLines {
  private var latest = Int32.min
  /// Empty until a day comes after a later one.
  private var counts: [Int32: Int64] = [:]
  private var lines: [Int32] = []

  /// Returns the day together with how many lines it had before.
  mutating func value(ofLineFor day: Int32) -> Int64 {
    defer { lines.append(day) }
    guard day <= latest else {
      latest = day
      if !counts.isEmpty { counts[day, default: 0] += 1 }
      return Int64(UInt32(bitPattern: day))
    }
    if counts.isEmpty { for line in lines { counts[line, default: 0] += 1 } }
    let repetition = counts[day, default: 0]
    counts[day] = repetition + 1
    return repetition << 32 | Int64(UInt32(bitPattern: day))
  }
}
