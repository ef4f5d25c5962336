import MessageModel

extension MessageWindow {
  /// Carries out a command.
  ///
  /// - Returns: What changed at once, and the pages to read for the rest, which the window waits for.
  /// - Complexity: O(log *held*).
  public mutating func perform(_ command: Command) -> Update {
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

  /// Reloads the window if an earlier reload was cancelled.
  private mutating func reloadIfNeeded() {
    let hasFailed = failedMain.map { $0.load.jump == nil } ?? false
    if needsReload, !hasFailed, frozen == nil { reload() }
  }

  mutating func scroll(_ direction: Direction) {
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

  private mutating func load(_ direction: Direction) {
    let side = self[direction]
    guard isLoaded, main == nil, side.goesOn, side.activity == .idle else { return }
    reader.go(to: direction == .older ? run.first?.id : run.last?.id)
    requestPage(direction)
  }

  private mutating func goToNewestEdge() {
    reader.go(to: run.last?.id, follows: followsNewest)
    countArrivals()
  }

  private mutating func cross(_ direction: Direction) {
    guard isLoaded, main == nil, let gap = self[direction].gap,
      let neighbour = direction == .older ? gap.after : gap.before
    else { return }
    jump(Jump(anchor: .around(neighbour), selection: selection))
  }

  mutating func jump(_ jump: Jump) {
    older.stopReading()
    newer.stopReading()
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
    for direction in Direction.allCases {
      guard case .failed = self[direction].activity else { continue }
      self[direction].activity = .idle
      if main == nil { requestPage(direction, scrolls: self[direction].scrolls) }
    }
  }

  /// Whether ``Command/retry`` would read anything again.
  package var wantsRetry: Bool {
    if failedMain != nil || needsReload && main == nil && frozen == nil { return true }
    return Direction.allCases.contains { if case .failed = self[$0].activity { true } else { false } }
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
