import MessageModel

extension MessageWindow {
  /// Releases messages beyond the limits, on the side opposite to the last load.
  mutating func fit(favouring direction: Direction?) {
    guard run.count > limits.messages || run.byteCount > limits.bytes else { return }
    let start = visibleIndices.lowerBound
    let kept = fitting(favouring: direction)
    keep(kept)
    if reader.isFollowing, kept.lowerBound > start { reader.place = run.first?.id }
    let (visible, reach) = (visibleIndices, sizes.reach)
    older.isFull = kept.lowerBound > 0 && visible.lowerBound < reach
    newer.isFull = newer.goesOn && run.count - visible.upperBound < reach
  }

  /// A function of its own, since a fit that still exists when messages are released would make them copy.
  private func fitting(favouring direction: Direction?) -> Range<Int> {
    let visible = visibleIndices
    let (page, reach) = sizes
    // The row that must stay: the newest one for a reader who follows, else the first in view.
    let place = reader.isFollowing ? run.count - 1 : visible.lowerBound
    var fit = WindowFit(run, limits: limits, place: place)
    fit.keep(inView: visible)
    fit.keep(ready: reach)
    if let direction {
      fit.keepAll(direction)
      fit.keepAllButPages(of: page, direction.opposite)
    } else {
      fit.keep(ready: limits.messages)
    }
    return fit.kept
  }

  /// An end that loses messages is open again; a page being read there would leave a hole.
  private mutating func keep(_ range: Range<Int>) {
    let dropped = (older: range.lowerBound, newer: run.count - range.upperBound)
    guard dropped != (0, 0) else { return }
    run.keep(range)
    if dropped.older > 0 {
      older.reopen()
      counts?.firstOrdinal += dropped.older
    }
    if dropped.newer > 0 { newer.reopen() }
  }
}

extension MessageWindow.Direction {
  var opposite: MessageWindow.Direction { self == .older ? .newer : .older }
}

extension MessageWindow.Side {
  fileprivate mutating func reopen() {
    hasMore = true
    gap = nil
    nextAnchor = nil
    stopReading()
  }
}
