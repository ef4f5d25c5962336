package import MessageModel
internal import TerminalText

/// Messages that keys select, for `/copy` and `/quote`.
struct PickedMessages: Hashable {
  /// The end that stays; `nil` as long as keys move a single message.
  var fixed: Message.ID?
  /// The end that keys move.
  var moving: Message.ID

  var ends: ClosedRange<Message.ID> {
    let other = fixed ?? moving
    return min(other, moving)...max(other, moving)
  }
}

extension ScreenReader {
  package var pickedMessages: ClosedRange<Message.ID>? { picked?.ends }

  package mutating func endPicking() { picked = nil }

  /// Handles a key that selects messages, or moves the end of a selection; returns whether it did.
  mutating func pick(
    _ key: ReplKey, _ count: Int, in context: inout ReplContext
  ) throws(StoreError) -> Bool {
    switch key {
    case .pick: turnPick()
    case .pickOlder, .pickNewer:
      guard let now = picked else {
        picked = view.visible.last.map { PickedMessages(fixed: $0, moving: $0) }
        return true
      }
      picked?.fixed = now.fixed ?? now.moving
      try movePick(by: key == .pickOlder ? -count : count)
    case .rowOlder, .rowNewer:
      guard picked != nil else { return false }
      try movePick(by: key == .rowOlder ? -count : count)
    case .pageOlder, .halfOlder, .dayOlder, .oldest:
      return try movePick(by: key, count, to: .older, in: &context)
    case .pageNewer, .halfNewer, .dayNewer, .newest:
      return try movePick(by: key, count, to: .newer, in: &context)
    case .rowsOlder, .rowsNewer, .unread, .redraw, .close, .escape, .nextHit, .previousHit, .map, .switcher,
      .nextUnread, .invertFilter, .addFilter, .dropFilter, .zoomIn, .zoomOut, .answered, .back, .hits, .steps,
      .choose,
      .repeatHit, .reverseHit:
      return false
    }
    catchUp(in: &context)
    return true
  }

  /// Begins with the newest message in view, then keeps this end, then ends.
  private mutating func turnPick() {
    guard let now = picked else {
      picked = view.visible.last.map { PickedMessages(moving: $0) }
      return
    }
    picked = now.fixed == nil ? PickedMessages(fixed: now.moving, moving: now.moving) : nil
  }

  /// Scrolls, and takes what is in view there.
  private mutating func movePick(
    by key: ReplKey, _ count: Int, to direction: HistoryView.Direction, in context: inout ReplContext
  ) throws(StoreError) -> Bool {
    guard let now = picked, let motion = key.motion(count) else { return false }
    _ = try move(motion, in: &context)
    let end = direction == .older ? view.visible.first : view.visible.last
    picked?.moving = end ?? now.moving
    return true
  }

  private mutating func movePick(by count: Int) throws(StoreError) {
    guard var now = picked else { return }
    if !view.visible.contains(now.moving) { try view.show(now.moving, inRow: view.height / 2) }
    for _ in 0..<abs(count) {
      guard let next = try neighbour(of: now.moving, isOlder: count < 0) else { break }
      now.moving = next
    }
    picked = now
  }

  /// The next message that begins in view, which scrolls until there is one; `nil` at the end.
  private mutating func neighbour(of id: Message.ID, isOlder: Bool) throws(StoreError) -> Message.ID? {
    while true {
      let next = isOlder ? view.visible.last { $0 < id } : view.visible.first { $0 > id }
      let (before, wasAtBottom) = (view.top, view.isAtBottom)
      if let next { return next }
      try view.scroll(rows: isOlder ? -1 : 1)
      if view.top == before, view.isAtBottom == wasAtBottom { return nil }
    }
  }

  /// What the keys do, while messages are selected.
  var pickStatus: Row? {
    guard let picked, !cover.isShown else { return nil }
    let key = isView ? "v" : "Alt-v"
    let (copy, quote) = isView ? (":copy", "") : ("/copy", " or /quote")
    let keys =
      picked.fixed == nil
      ? "↑↓ the first one · \(key) begins there" : "↑↓ PageUp PageDown the last one · \(key) ends"
    var row = Row(" \(pickCount)", .status)
    row.close(
      with: ["\(keys) · \(copy)\(quote) · Esc ends", "\(copy)\(quote) · Esc ends", "Esc ends"],
      columns: columns, .status)
    return row
  }

  private var pickCount: String {
    guard let ends = pickedMessages, let first = view.window.index(of: ends.lowerBound),
      let last = view.window.index(of: ends.upperBound)
    else { return "selected" }
    return NumberText.counted(last - first + 1, "message") + " selected"
  }
}
