import MessageModel

extension MessageWindow {
  /// Releases messages beyond the limits, on the side opposite to the last load.
  mutating func fit(favouring direction: ScrollDirection?) {
    guard run.count > limits.messages || run.byteCount > limits.bytes else { return }
    let start = visibleIndices.lowerBound
    let kept = fitting(favouring: direction)
    keep(kept)
    if reader.isFollowing, kept.lowerBound > start { reader.place = run.first?.id }
    let (visible, reach) = (visibleIndices, sizes.reach)
    older.isFull = kept.lowerBound > 0 && visible.lowerBound < reach
    newer.isFull = newer.goesOn && run.count - visible.upperBound < reach
  }

  /// A separate function: if the fit still existed when messages are released, releasing would copy them.
  private func fitting(favouring direction: ScrollDirection?) -> Range<Int> {
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

  /// Marks an end that loses messages as open again; a page being read there would leave a hole.
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

extension ScrollDirection {
  var opposite: ScrollDirection { self == .older ? .newer : .older }
}

extension MessageWindow.Side {
  fileprivate mutating func reopen() {
    hasMore = true
    gap = nil
    nextAnchor = nil
    stopReading()
  }
}

/// Chooses the messages that a window keeps when it has too many.
///
/// The range grows from the reader's row outward: first what is in view, then the prefetched messages on both
/// sides, then what was just loaded, then the far side in whole pages. It stops at the budgets; only the
/// reader's row may exceed them.
struct WindowFit {
  private let messages: [Message]
  private let limits: WindowLimits
  private(set) var kept: Range<Int>
  private var byteCount: Int
  /// Whether the byte limit matters. Asking each message for its size would take longer than everything else.
  private let countsBytes: Bool

  init(_ run: MessageRun, limits: WindowLimits, place: Int) {
    messages = run.messages
    countsBytes = run.byteCount > limits.bytes
    self.limits = limits
    kept = place..<(place + 1)
    byteCount = messages[place].byteCost
  }

  /// Newer messages first, since a screen is read downwards from its first row.
  mutating func keep(inView range: Range<Int>) {
    while kept.upperBound < range.upperBound, growNewer() {}
    while kept.lowerBound > range.lowerBound, growOlder() {}
  }

  /// Alternates between both sides, so that neither is starved.
  mutating func keep(ready distance: Int) {
    var older = true
    var newer = true
    for _ in 0..<distance where older || newer {
      older = older && growOlder()
      newer = newer && growNewer()
    }
  }

  mutating func keepAll(_ direction: ScrollDirection) {
    switch direction {
    case .older: while growOlder() {}
    case .newer: while growNewer() {}
    }
  }

  /// Grows to where the rest can be dropped in whole pages.
  mutating func keepAllButPages(of size: Int, _ direction: ScrollDirection) {
    let ready = kept
    keepAll(direction)
    switch direction {
    case .older:
      let dropped = kept.lowerBound.roundedUp(toMultipleOf: size)
      kept = min(dropped, ready.lowerBound)..<kept.upperBound
    case .newer:
      let dropped = (messages.count - kept.upperBound).roundedUp(toMultipleOf: size)
      kept = kept.lowerBound..<max(messages.count - dropped, ready.upperBound)
    }
  }

  private mutating func growOlder() -> Bool {
    guard kept.lowerBound > 0, makeRoom(for: kept.lowerBound - 1) else { return false }
    kept = (kept.lowerBound - 1)..<kept.upperBound
    return true
  }

  private mutating func growNewer() -> Bool {
    guard kept.upperBound < messages.count, makeRoom(for: kept.upperBound) else { return false }
    kept = kept.lowerBound..<(kept.upperBound + 1)
    return true
  }

  private mutating func makeRoom(for index: Int) -> Bool {
    guard kept.count < limits.messages else { return false }
    guard countsBytes else { return true }
    let sum = byteCount + messages[index].byteCost
    guard sum <= limits.bytes else { return false }
    byteCount = sum
    return true
  }
}

extension Int {
  fileprivate func roundedUp(toMultipleOf size: Int) -> Int { (self + size - 1) / size * size }
}
