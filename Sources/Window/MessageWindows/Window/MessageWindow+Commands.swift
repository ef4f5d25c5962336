import MessageModel

extension MessageWindow {
  /// Carries out a command.
  ///
  /// - Returns: The immediate changes, and the pages to read for the rest, which the window waits for.
  /// - Complexity: O(log *held*).
  package mutating func perform(_ command: ListCommand) -> Update {
    step { window in
      switch command {
      case .scroll(let direction): window.scroll(direction)
      case .load(let direction): window.load(direction)
      case .jump(let anchor):
        window.jump(Jump(anchor: anchor, selection: window.selection, follows: anchor == .newest))
      case .select(let selection): window.select(selection)
      case .show(let selection, let anchor):
        window.jump(Jump(anchor: anchor, selection: selection, follows: anchor == .newest, effect: .none))
      case .readerMoved(let first, let last, let rowOffset, let seesEnd):
        window.moveReader(first, last, rowOffset, seesEnd)
      case .sourceChanged where window.frozen != nil: window.askForVersion()
      case .sourceChanged: window.reload()
      case .retry: window.retry()
      case .cross(let direction): window.cross(direction)
      case .showOrdinals(let ordinals): window.look(at: ordinals)
      case .back: window.jump(to: window.history.place(.older), .back)
      case .forward: window.jump(to: window.history.place(.newer), .forward)
      case .restore(let position): window.jump(to: position, .none)
      case .follow(let follows): window.follow(follows)
      case .freeze: window.freeze()
      case .thaw: window.thaw()
      }
      window.reloadIfNeeded()
    }
  }

  mutating func step(_ body: (inout MessageWindow) -> Void) -> Update {
    let before = header
    run.startStep()
    body(&self)
    checkInvariants()
    let header = header
    let delta = WindowDelta(run, header: header)
    let update = Update(
      delta: delta.isHeaderOnly && header == before ? nil : delta, requests: outbox, failure: failure)
    outbox.removeAll()
    failure = nil
    run.startStep()
    return update
  }

  private mutating func reloadIfNeeded() {
    let hasFailed = failedMain.map { $0.load.jump == nil } ?? false
    if needsReload, !hasFailed, frozen == nil { reload() }
  }

  mutating func scroll(_ direction: ScrollDirection) {
    guard isLoaded, main == nil else {
      self[direction].isWanted = true
      return
    }
    guard self[direction].goesOn else {
      if direction == .newer, newer.gap == nil { goToNewestEdge() }
      return
    }
    guard self[direction].activity == .idle else { return }
    reader.go(to: direction == .older ? run.first?.id : run.last?.id)
    requestPage(direction, scrolls: true)
  }

  private mutating func load(_ direction: ScrollDirection) {
    let side = self[direction]
    guard isLoaded, main == nil, side.goesOn, side.activity == .idle else { return }
    reader.go(to: direction == .older ? run.first?.id : run.last?.id)
    requestPage(direction)
  }

  private mutating func goToNewestEdge() {
    reader.go(to: run.last?.id, follows: followsNewest)
    countArrivals()
  }

  private mutating func cross(_ direction: ScrollDirection) {
    guard isLoaded, main == nil, let gap = self[direction].gap,
      let neighbour = direction == .older ? gap.after : gap.before
    else { return }
    jump(Jump(anchor: .around(neighbour), selection: selection))
  }

  mutating func jump(_ jump: Jump) {
    // Until the jump lands, its messages stand for those of the pages that were being read.
    older.join()
    newer.join()
    failedMain = nil
    nextLook = nil
    let ticket = newTicket(.main)
    main = MainLoad(ticket: ticket, jump: jump, needsReload: needsReload || main?.needsReload == true)
    needsReload = false
    send(ticket, PageRequest(jump.selection, anchor: jump.anchor, fetchLimit: jumpLimit))
  }

  private mutating func jump(to position: WindowPosition?, _ effect: JumpHistory.Effect) {
    guard let position else { return }
    let follows = effect == .none && position.isFollowing && followsNewest
    jump(
      Jump(
        anchor: follows ? .newest : .around(position.id), selection: selection, rowOffset: position.rowOffset,
        follows: follows, effect: effect))
  }

  private mutating func select(_ selection: Selection) {
    let position = position
    let follows = position?.isFollowing ?? true
    jump(
      Jump(
        anchor: position.flatMap { follows ? nil : .around($0.id) } ?? .newest, selection: selection,
        rowOffset: position?.rowOffset ?? 0, follows: follows, effect: .none))
  }

  mutating func moveReader(
    _ first: Message.ID, _ last: Message.ID, _ rowOffset: Int, _ seesEnd: Bool
  ) {
    guard !run.isEmpty else { return }
    let before = visibleIndices
    let start = min(run.index(atOrAfter: first), run.count - 1)
    let end = max(run.index(after: last), start + 1)
    reader.rowOffset = rowOffset
    reader.seesEnd = seesEnd
    reader.stride = abs(start - before.lowerBound)
    reader.heightInMessages = end - start
    if before != start..<end || reader.lastInView == nil {
      reader.place = run.messages[start].id
      reader.lastInView = run.messages[end - 1].id
      older.isFull = false
      newer.isFull = false
    }
    reader.isFollowing = followsNewest && isAtNewestEdge
    countArrivals()
    prefetch()
  }

  private mutating func retry() {
    if let failed = failedMain {
      failedMain = nil
      if let wanted = failed.load.jump { jump(wanted) } else { reload() }
    }
    for direction in ScrollDirection.allCases {
      guard case .failed = self[direction].activity else { continue }
      self[direction].activity = .idle
      if main == nil { requestPage(direction, scrolls: self[direction].scrolls) }
    }
  }

  /// Whether ``ListCommand/retry`` would read anything again.
  package var wantsRetry: Bool {
    if failedMain != nil || needsReload && main == nil && frozen == nil { return true }
    return ScrollDirection.allCases.contains { if case .failed = self[$0].activity { true } else { false } }
  }

  private mutating func follow(_ follows: Bool) {
    followsNewest = follows
    reader.isFollowing = follows && isAtNewestEdge
    if isLoaded { countArrivals() }
  }

  private mutating func freeze() {
    guard isLoaded, frozen == nil else { return }
    frozen = (version, version)
    arrivals.ticket = nil
  }

  private mutating func thaw() {
    guard frozen != nil else { return }
    frozen = nil
    needsReload = true
  }
}

extension MessageWindow {
  /// The indices of the messages in view.
  package var inView: Range<Int> { visibleIndices }

  /// The indices of the messages in view and of those prefetched on both sides.
  package var nearView: Range<Int> {
    let (visible, reach) = (visibleIndices, sizes.reach)
    return max(visible.lowerBound - reach, 0)..<min(visible.upperBound + reach, run.count)
  }

  /// Whether the source has no more at an end that is held, and nothing is being read there.
  func holdsEnd(_ direction: ScrollDirection) -> Bool {
    isAtEnd(direction) && main == nil && !needsReload && self[direction].activity == .idle
  }

  /// Whether the source had no more at an end that is held when it was read last.
  func isAtEnd(_ direction: ScrollDirection) -> Bool {
    isLoaded && failedMain == nil && frozen == nil && !self[direction].goesOn
  }

  /// Whether pages are being read around the reader's place.
  var isReadingOn: Bool {
    main.map { $0.jump == nil } ?? (older.isReading || newer.isReading || arrivals.ticket != nil)
  }

  func isNearEnd(_ direction: ScrollDirection) -> Bool {
    run.isEmpty || distance(to: direction) < max(sizes.reach, 1)
  }

  /// Moves the reader to the messages with these ordinals, or reads them unless the middle one is held.
  mutating func look(at ordinals: Range<Int>) {
    let ordinals = ordinals.clamped(to: Self.possibleOrdinals)
    guard !ordinals.isEmpty else { return }
    if let jump = main?.jump {
      // The page being read is finished first: during fast scrolling each page would be cancelled before it
      // arrives. A jump continues, since a view may still report the rows that it leaves.
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

  /// Continues after a page of ordinals: with the latest ordinals requested meanwhile, or at the first row.
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
