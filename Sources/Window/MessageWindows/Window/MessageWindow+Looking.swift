import MessageModel

extension MessageWindow {
  /// The indices of the messages in view.
  public var inView: Range<Int> { visibleIndices }

  /// The indices of the messages in view and of those prefetched on both sides.
  public var nearView: Range<Int> {
    let (visible, reach) = (visibleIndices, sizes.reach)
    return max(visible.lowerBound - reach, 0)..<min(visible.upperBound + reach, run.count)
  }

  /// Whether the source has no more at an end that is held, and nothing is being read there.
  func holdsEnd(_ direction: Direction) -> Bool {
    guard isLoaded, main == nil, failedMain == nil, frozen == nil, !needsReload else { return false }
    return !self[direction].goesOn && self[direction].activity == .idle
  }

  func isNearEnd(_ direction: Direction) -> Bool {
    let visible = visibleIndices
    let distance = direction == .older ? visible.lowerBound : run.count - visible.upperBound
    return run.isEmpty || distance < max(sizes.reach, 1)
  }

  /// Moves the reader to the messages with some ordinals, or reads them unless their middle is held.
  mutating func look(at ordinals: Range<Int>) {
    let ordinals = ordinals.clamped(to: Self.possibleOrdinals)
    guard !ordinals.isEmpty else { return }
    if let jump = main?.jump {
      // The page being read is finished first: fast scrolling would cancel each before it comes. A jump goes
      // on, since a view may still report the rows that it leaves.
      if jump.look != nil { nextLook = ordinals }
      return
    }
    if moveReader(to: ordinals) { return }
    reader.heightInMessages = min(ordinals.count, limits.messages / 2)
    jump(
      Jump(
        anchor: .ordinal(ordinals.middle), selection: selection, follows: false, effect: .none, look: ordinals
      ))
  }

  /// Continues after a page of ordinals: with the latest ones looked at meanwhile, or at the first row.
  mutating func lookOn(after look: Range<Int>) {
    let next = nextLook
    nextLook = nil
    if let next, next != look { return self.look(at: next) }
    moveReader(to: look)
  }

  /// Returns `false` if the middle message is not held.
  @discardableResult
  private mutating func moveReader(to ordinals: Range<Int>) -> Bool {
    guard let counts, !run.isEmpty else { return false }
    let held = counts.firstOrdinal..<counts.firstOrdinal.adding(run.count)
    let middle = counts.isExact ? min(max(ordinals.middle, 0), counts.total - 1) : ordinals.middle
    guard held.contains(middle) else { return false }
    let seen = ordinals.clamped(to: held)
    guard !seen.isEmpty else { return false }
    let first = run.messages[seen.lowerBound - held.lowerBound].id
    moveReader(first, run.messages[seen.upperBound - 1 - held.lowerBound].id, 0, true)
    return true
  }

  private static let possibleOrdinals = -(1 << 40)..<(1 << 40)
}

extension Range<Int> {
  fileprivate var middle: Int { lowerBound + count / 2 }
}
