package import MessageModel
internal import MessageWindows
internal import TerminalText

extension HistoryView {
  /// Scrolls by rows, towards older messages if negative, up to the ends.
  ///
  /// - Complexity: O(rows), plus the pages read.
  package mutating func scroll(rows: Int) throws(StoreError) {
    guard rows != 0, var place = top, rows < 0 || !isAtBottom else { return }
    var rest = 0
    unfinishedRows = 0
    try reading(from: start) { view throws(StoreError) in
      rest = rows < 0 ? try view.climb(-rows, from: &place) : try view.descend(rows, from: &place)
    }
    try settle(from: .row(place))
    if isLookingOn(rows < 0 ? .older : .newer) { unfinishedRows = rest }
  }

  /// Scrolls by messages, towards older ones if negative; the first in view then begins at the top.
  package mutating func scroll(messages count: Int) throws(StoreError) {
    guard count != 0, var id = top?.id, count < 0 || !isAtBottom else { return }
    try reading(from: start) { view throws(StoreError) in
      for _ in 0..<abs(count) {
        guard let next = try view.neighbour(of: id, count < 0 ? .older : .newer) else { break }
        id = next
      }
    }
    try settle(from: .row(Place(id: id)))
  }

  /// Moves the window while reading; restores the reader's place on failure.
  private mutating func reading(
    from start: Start, _ body: (inout HistoryView) throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try body(&self)
    } catch {
      let edge = window.messages.last.map { Place(id: $0.id) }
      if let place = if case .row(let place) = start { place } else { edge } {
        let update = window.perform(
          .readerMoved(first: place.id, last: place.id, rowOffset: place.row, seesEnd: start == .bottom))
        for request in update.requests { _ = window.loadCancelled(for: request.ticket) }
      }
      throw error
    }
  }

  /// Moves towards older rows; returns how many are missing, 0 at the oldest message.
  private mutating func climb(_ count: Int, from place: inout Place) throws(StoreError) -> Int {
    var left = count
    while left > place.row {
      left -= place.row
      place.row = 0
      guard let id = try neighbour(of: place.id, .older), let index = window.index(of: id) else {
        return -left
      }
      place = Place(id: id, row: block(index).count)
    }
    place.row -= left
    return 0
  }

  private mutating func descend(_ count: Int, from place: inout Place) throws(StoreError) -> Int {
    place.row += count
    while let index = window.index(of: place.id) {
      let height = block(index).count
      guard place.row >= height else { return 0 }
      guard let id = try neighbour(of: place.id, .newer) else {
        let left = place.row - max(0, height - 1)
        place.row = max(0, height - 1)
        return left
      }
      place = Place(id: id, row: place.row - height)
    }
    return 0
  }

  /// The next message, read if not held; `nil` at the end.
  private mutating func neighbour(
    of id: Message.ID, _ direction: Direction
  ) throws(StoreError) -> Message.ID? {
    while let index = window.index(of: id) {
      let next = direction == .older ? index - 1 : index + 1
      // The oldest held message shows its day only when the one before it is known.
      if direction == .older ? next > 0 || next == 0 && !window.header.hasOlder : next < window.count {
        return window[next].id
      }
      guard try load(direction) else { return next >= 0 && next < window.count ? window[next].id : nil }
    }
    return nil
  }

  private mutating func load(_ direction: Direction) throws(StoreError) -> Bool {
    let ends = (window.messages.first?.id, window.messages.last?.id)
    let header = window.header
    guard direction == .older ? header.hasOlder : header.hasNewer, !isLookingOn(direction) else {
      return false
    }
    if window.wantsRetry { try perform(.retry) }
    try perform(.load(direction))
    return ends != (window.messages.first?.id, window.messages.last?.id)
  }

  var start: Start { isAtBottom ? .bottom : top.map { .row($0) } ?? .bottom }

  /// Lays out the rows at the reader's place, reads what is missing, and tells the window what is visible.
  mutating func settle() throws(StoreError) { try settle(from: start) }

  mutating func settle(from start: Start) throws(StoreError) {
    guard !window.isEmpty else {
      shown = Array(repeating: ShownRow(row: Row()), count: height)
      return
    }
    var top: Place?
    var isAtBottom = false
    try reading(from: start) { view throws(StoreError) in
      if case .row(let place) = start { top = try view.fillDown(from: place) }
      if top == nil { (top, isAtBottom) = (try view.fillUp(), true) }
    }
    guard let top else { return }
    let last = max(visible.last ?? top.id, top.id)
    let move = ListCommand.readerMoved(
      first: top.id, last: last, rowOffset: top.row, seesEnd: isAtBottom)
    ordered += window.perform(move).requests
  }

  /// Replaces a place whose message is no longer held by the nearest one.
  private mutating func held(_ wanted: Place) throws(StoreError) -> Place? {
    guard let index = window.index(of: wanted.id) else {
      return (window.position?.id ?? window.messages.first?.id).map { Place(id: $0) }
    }
    if index == 0 { _ = try load(.older) }
    guard let index = window.index(of: wanted.id) else { return wanted }
    return Place(id: wanted.id, row: max(0, min(wanted.row, block(index).count - 1)))
  }

  /// Lays out rows from a place; returns its present value, `nil` if they do not fill the screen.
  private mutating func fillDown(from wanted: Place) throws(StoreError) -> Place? {
    guard let place = try held(wanted) else { return nil }
    var rows: [ShownRow] = []
    var next: Message.ID? = place.id
    while rows.count < height, let id = next, let index = window.index(of: id) {
      rows += block(index).dropFirst(rows.isEmpty && id == place.id ? place.row : 0)
      next = try neighbour(of: id, .newer)
    }
    let isLast = rows.count < height || next == nil
    if isLast, rows.count <= height, window.holdsNewestEdge || rows.isEmpty { return nil }
    let missing = Array(repeating: ShownRow(row: Row()), count: max(0, height - rows.count))
    shown = Array(rows.prefix(height)) + missing
    return place
  }

  /// Lays out rows up from the newest message; returns where they begin.
  private mutating func fillUp() throws(StoreError) -> Place? {
    if !window.holdsNewestEdge { try perform(.jump(to: .newest)) }
    var rows: [ShownRow] = []
    var next = window.messages.last?.id
    var first = next
    while rows.count < height, let id = next, let index = window.index(of: id) {
      first = id
      // Read the neighbour first: it tells whether a day begins here.
      next = try neighbour(of: id, .older)
      rows = block(window.index(of: id) ?? index) + rows
    }
    let hidden = max(0, rows.count - height)
    shown =
      Array(repeating: ShownRow(row: Row()), count: max(0, height - rows.count)) + rows.dropFirst(hidden)
    return first.map { Place(id: $0, row: hidden) }
  }
}

extension HistoryView {
  /// Goes to the first message of a day: for -1 of the day in view or the one before, for 1 of the next with
  /// messages; else to the end of the history. No jump is recorded.
  ///
  /// - Complexity: O(days), two pages of one message each.
  mutating func scroll(days count: Int) throws(StoreError) {
    for _ in 0..<abs(count) {
      let target = try count < 0 ? dayBefore() : dayAfter()
      guard let target else {
        guard let end = try message(count < 0 ? .oldest : .newest) else { return }
        try jump(to: .around(end.id), isRemembered: false)
        return
      }
      try jump(to: .around(target), isRemembered: false)
    }
  }

  /// The first message of the day in view or, if that is at the top, of the day before.
  private mutating func dayBefore() throws(StoreError) -> Message.ID? {
    guard let top, let message = window.message(top.id) else { return nil }
    let first = try self.first(ofDay: layout.day(of: message))
    if let first, first < top.id || (first == top.id && top.row > 0) { return first }
    guard let before = try self.message(.before(top.id)) else { return nil }
    return try self.first(ofDay: layout.day(of: before)) ?? before.id
  }

  private mutating func dayAfter() throws(StoreError) -> Message.ID? {
    guard let top, let message = window.message(top.id) else { return nil }
    return try first(ofDay: layout.day(of: message) + 1).flatMap { $0 > top.id ? $0 : nil }
  }

  private mutating func first(ofDay day: Int) throws(StoreError) -> Message.ID? {
    let start = layout.start(ofDay: day)
    guard let found = try message(.time(start)), found.time >= start else { return nil }
    return found.id
  }

  private func message(_ anchor: PageAnchor) throws(StoreError) -> Message? {
    let page = try (snapshot ?? source).page(
      PageRequest(window.selection, anchor: anchor, fetchLimit: 1, wantsCounts: false))
    return page.messages.first
  }
}
