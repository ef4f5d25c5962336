import MessageModel

/// The facts of a message, kept for as long as it is held unchanged.
struct MessageFacts {
  var id: Message.ID
  var revision: Int
  /// Its day, as a number of days since 1970.
  var day: Int32
  /// Whether it belongs to the group of the message above it.
  var joinsAbove = false

  init(id: Message.ID, revision: Int, day: Int) {
    self.id = id
    self.revision = revision
    self.day = Int32(day)
  }
}

/// A row in short, by which rows are compared: a message is not copied for it.
struct ItemEntry {
  /// The kind of a row, in the order in which rows stand above and below one message.
  enum Kind: UInt8 {
    case beginning, gapOlder, loadingOlder, failedOlder, day, unread, message, gapNewer, loadingNewer,
      failedNewer
  }

  let kind: Kind
  /// Its place in its group, if it is a message.
  let group: MessageItems.GroupPosition
  /// The index of its message, or of the one that it stands above.
  let index: Int32
  /// That message; the highest id for what stands below all.
  let id: Message.ID
  /// The value that it shows besides: the revision of a message, a day.
  let value: Int64

  init(
    _ kind: Kind, above id: Message.ID, index: Int, value: Int64 = 0,
    group: MessageItems.GroupPosition = .single
  ) {
    self.kind = kind
    self.id = id
    self.index = Int32(clamping: index)
    self.value = value
    self.group = group
  }

  /// The day that its line is for.
  var day: MessageItems.Day {
    MessageItems.Day(Int(Int32(truncatingIfNeeded: value)), repetition: Int(value >> 32))
  }

  /// Whether it is the row of the message at this index, or stands below that.
  func isAtOrBelow(message place: Int) -> Bool {
    index > place || (index == place && kind.rawValue >= Kind.message.rawValue)
  }

  /// The rows that stand for one message come in the order of their kinds; those below all messages come last.
  private func precedes(_ other: ItemEntry) -> Bool {
    if isBelowAll != other.isBelowAll { return other.isBelowAll }
    return id != other.id ? id < other.id : kind.rawValue < other.kind.rawValue
  }

  private var isBelowAll: Bool { kind.rawValue > Kind.message.rawValue }

  /// Whether it is the same row, whatever it shows now.
  private func isSame(as other: ItemEntry) -> Bool {
    kind == other.kind && id == other.id && (kind == .message || value == other.value)
  }

  /// Finds what turns rows into others.
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
  /// The row for what lies beyond the older end; `nil` for none.
  init?(older end: MessageItems.End) {
    switch end {
    case .nothing: self = .beginning
    case .more: return nil
    case .gap: self = .gapOlder
    case .loading: self = .loadingOlder
    case .failed: self = .failedOlder
    }
  }

  /// The row for what lies beyond the newer end; `nil` for none.
  init?(newer end: MessageItems.End) {
    switch end {
    case .nothing, .more: return nil
    case .gap: self = .gapNewer
    case .loading: self = .loadingNewer
    case .failed: self = .failedNewer
    }
  }
}

/// The lines of days of a list, counted so that no two have one identity.
struct DayLines {
  private var latest = Int32.min
  /// The lines of each day so far; needed from the first day on that comes after a later one.
  private var counts: [Int32: Int64] = [:]
  private var lines: [Int32] = []

  /// Returns what tells the next line from all others: its day, and how many lines of that day stand above it.
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
