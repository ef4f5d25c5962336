public import MessageModel
internal import MessageWindows
internal import TerminalText

extension HistoryView {
  /// Moves the view by rows: towards older messages if negative. It stops at the ends.
  ///
  /// - Complexity: O(rows), plus the pages read on the way.
  public mutating func scroll(rows: Int) throws(StoreError) {
    guard rows != 0, var place = top else { return }
    if rows < 0 {
      try climb(-rows, from: &place)
    } else {
      guard !isAtBottom else { return }
      try descend(rows, from: &place)
    }
    isAtBottom = false
    top = place
    try settle()
  }

  /// Moves the view by messages: towards older ones if negative. The first in view begins at the top then.
  public mutating func scroll(messages count: Int) throws(StoreError) {
    guard count != 0, var place = top, count < 0 || !isAtBottom else { return }
    for _ in 0..<abs(count) {
      guard let id = try neighbour(of: place.id, count < 0 ? .older : .newer) else { break }
      place = Place(id: id)
    }
    isAtBottom = false
    top = Place(id: place.id)
    try settle()
  }

  private mutating func climb(_ count: Int, from place: inout Place) throws(StoreError) {
    var left = count
    while left > place.row {
      left -= place.row
      place.row = 0
      guard let id = try neighbour(of: place.id, .older), let index = window.index(of: id) else { return }
      place = Place(id: id, row: block(index).count)
    }
    place.row -= left
  }

  private mutating func descend(_ count: Int, from place: inout Place) throws(StoreError) {
    place.row += count
    while let index = window.index(of: place.id) {
      let height = block(index).count
      guard place.row >= height else { return }
      guard let id = try neighbour(of: place.id, .newer) else {
        place.row = height - 1
        return
      }
      place = Place(id: id, row: place.row - height)
    }
  }

  /// The next message in a direction, read if it is not held; `nil` at the end.
  private mutating func neighbour(
    of id: Message.ID, _ direction: Direction
  ) throws(StoreError) -> Message.ID? {
    while let index = window.index(of: id) {
      let next = direction == .older ? index - 1 : index + 1
      // The oldest held shows its day only when the one before it is known.
      if direction == .older ? next > 0 || next == 0 && !window.header.hasOlder : next < window.count {
        return window[next].id
      }
      guard try load(direction) else { return next >= 0 && next < window.count ? window[next].id : nil }
    }
    return nil
  }

  /// Reads the next page in a direction; whether there was one.
  private mutating func load(_ direction: Direction) throws(StoreError) -> Bool {
    let ends = (window.messages.first?.id, window.messages.last?.id)
    let header = window.header
    guard direction == .older ? header.hasOlder : header.hasNewer else { return false }
    try perform(.retry)
    try perform(.readOn(direction == .older ? .older : .newer))
    return ends != (window.messages.first?.id, window.messages.last?.id)
  }

  // MARK: Coming to rest

  /// Lays the rows out from ``top`` (or up from the bottom), reading what is missing, and tells the window what is in
  /// view.
  mutating func settle() throws(StoreError) {
    guard !window.isEmpty else {
      top = nil
      isAtBottom = true
      shown = Array(repeating: ShownRow(row: Row()), count: height)
      return
    }
    try findTop()
    if !isAtBottom { try fillDown() }
    if isAtBottom { try fillUp() }
    try tellWindow()
  }

  /// Replaces a first message that is held no more by the one nearest to it.
  private mutating func findTop() throws(StoreError) {
    guard !isAtBottom else { return }
    if let place = top, let index = window.index(of: place.id) {
      if index == 0 { _ = try load(.older) }
      guard let index = window.index(of: place.id) else { return }
      top = Place(id: place.id, row: min(place.row, block(index).count - 1))
    } else {
      top = (window.position?.id ?? window.messages.first?.id).map { Place(id: $0) }
    }
  }

  private mutating func fillDown() throws(StoreError) {
    guard let place = top else { return }
    var rows: [ShownRow] = []
    var next: Message.ID? = place.id
    while rows.count < height, let id = next, let index = window.index(of: id) {
      rows += block(index).dropFirst(rows.isEmpty && id == place.id ? place.row : 0)
      next = try neighbour(of: id, .newer)
    }
    if rows.count < height || (rows.count == height && next == nil) {
      // Less than a screen is left: the newest message is at the bottom.
      isAtBottom = true
    }
    shown = Array(rows.prefix(height))
  }

  private mutating func fillUp() throws(StoreError) {
    if !window.holdsNewestEdge { try perform(.jump(to: .newest)) }
    var rows: [ShownRow] = []
    var next = window.messages.last?.id
    var first = next
    while rows.count < height, let id = next, let index = window.index(of: id) {
      first = id
      // Its neighbour is looked for first: only then is it known whether a day begins here.
      next = try neighbour(of: id, .older)
      rows = block(window.index(of: id) ?? index) + rows
    }
    let hidden = max(0, rows.count - height)
    top = first.map { Place(id: $0, row: hidden) }
    shown =
      Array(repeating: ShownRow(row: Row()), count: max(0, height - rows.count)) + rows.dropFirst(hidden)
  }

  private mutating func tellWindow() throws(StoreError) {
    guard let place = top else { return }
    let last = visible.last ?? place.id
    try performBesides(
      .readerMoved(first: place.id, last: max(last, place.id), rowOffset: place.row))
  }
}
