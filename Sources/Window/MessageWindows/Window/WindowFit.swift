import MessageModel

/// Decides which stretch of too many messages a window goes on holding.
///
/// The stretch grows from the reader's row outward: first what is in view, then what is to be ready on both sides,
/// then what was just loaded, then the far side, in whole pages. It grows as far as the budgets go, so they are
/// kept whatever the messages are like; the reader's row alone may be larger than the budget.
struct WindowFit {
  private let messages: [Message]
  private let limits: WindowLimits
  private(set) var kept: Range<Int>
  private var byteCount: Int
  /// Whether bytes are short at all; asking each message for its size takes longer than all the rest.
  private let countsBytes: Bool

  init(_ run: MessageRun, limits: WindowLimits, place: Int) {
    messages = run.messages
    countsBytes = run.byteCount > limits.bytes
    self.limits = limits
    kept = place..<(place + 1)
    byteCount = messages[place].byteCost
  }

  /// Grows to `range` where there is room, newer messages first: a screen is read downwards from its first row.
  mutating func keep(inView range: Range<Int>) {
    while kept.upperBound < range.upperBound, growNewer() {}
    while kept.lowerBound > range.lowerBound, growOlder() {}
  }

  /// Grows by up to `distance` on both sides in turn, so that neither is starved.
  mutating func keep(ready distance: Int) {
    var older = true
    var newer = true
    for _ in 0..<distance where older || newer {
      older = older && growOlder()
      newer = newer && growNewer()
    }
  }

  /// Grows on one side as far as there is room.
  mutating func keepAll(_ direction: MessageWindow.Direction) {
    switch direction {
    case .older: while growOlder() {}
    case .newer: while growNewer() {}
    }
  }

  /// Grows on one side as far as there is room for whole pages to be dropped of what remains.
  mutating func keepAllButPages(of size: Int, _ direction: MessageWindow.Direction) {
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
