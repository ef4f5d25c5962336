public import MessageModel

extension MessageWindow {
  /// Takes in a page that was asked for.
  ///
  /// A page that the window waits for no more (its side was dropped, the reader has jumped on) changes nothing. One
  /// that breaks the promises of a source counts as a failed load.
  ///
  /// - Complexity: O(*held* + page).
  public mutating func pageArrived(_ page: Page, for ticket: Ticket) -> Update {
    step { window in
      guard window.isWaiting(for: ticket) else { return }
      if let error = window.fault(of: page, for: ticket) { return window.fail(ticket, error) }
      switch ticket.purpose {
      case .arrivals: window.landArrivals(page)
      case _ where window.frozen != nil && page.version != window.version:
        window.fail(ticket, Self.frozenError)
      // Pages of different states are never joined: both are read again, at once.
      case .older where page.version != window.version, .newer where page.version != window.version:
        window.reread()
      case .main: window.landMain(page)
      case .older: window.land(page, .older)
      case .newer: window.land(page, .newer)
      }
    }
  }

  /// Takes note that a page could not be read. What is held stays.
  public mutating func loadFailed(_ error: StoreError, for ticket: Ticket) -> Update {
    step { window in
      if window.isWaiting(for: ticket) { window.fail(ticket, error) }
    }
  }

  /// Takes note that a page will not be read, as if it had not been asked for.
  public mutating func loadCancelled(for ticket: Ticket) -> Update {
    step { window in
      guard window.isWaiting(for: ticket) else { return }
      switch ticket.purpose {
      case .main:
        window.owesReread = window.owesReread || window.main?.paysDebt == true
        window.main = nil
        window.older.stopReading()
        window.newer.stopReading()
      case .older: window.older.activity = .idle
      case .newer: window.newer.activity = .idle
      case .arrivals:
        window.arrivals.ticket = nil
        window.arrivals.version = nil
      }
    }
  }

  private mutating func fail(_ ticket: Ticket, _ error: StoreError) {
    failure = error
    switch ticket.purpose {
    case .main: failMain(error)
    case .older: older.activity = .failed(error)
    case .newer: newer.activity = .failed(error)
    case .arrivals:
      arrivals.ticket = nil
      arrivals.count = nil
    }
  }

  private mutating func failMain(_ error: StoreError) {
    guard let load = main else { return }
    main = nil
    failedMain = (load, error)
    owesReread = owesReread || load.paysDebt
    for direction in Direction.allCases where self[direction].activity == .joined {
      self[direction].activity = .failed(error)
    }
  }

  private mutating func landArrivals(_ page: Page) {
    arrivals.ticket = nil
    if let frozen {
      self.frozen = (frozen.at, page.version)
    } else if arrivals.edge == nil {
      arrivals = Arrivals(edge: page.messages.last?.id ?? .lowest, count: 0, version: version)
    } else {
      arrivals.count = page.counts.map { $0.total - $0.firstOrdinal }
    }
  }
}

// MARK: Pages at one end

extension MessageWindow {
  private mutating func land(_ page: Page, _ direction: Direction) {
    let scrolls = self[direction].scrolls
    self[direction].activity = .idle
    (self[direction].goesOn, self[direction].resumption) = end(direction, of: page)
    switch direction {
    case .older: run.prepend(page.messages)
    case .newer: run.append(page.messages)
    }
    noteCounts(page, direction)
    if scrolls || reader.place == nil { scrollReader(into: page.messages, direction) }
    fit(favouring: direction)
    countArrivals()
    if page.messages.isEmpty, self[direction].goesOn { return requestPage(direction, scrolls: scrolls) }
    prefetch()
  }

  private mutating func noteCounts(_ page: Page, _ direction: Direction) {
    if let fresh = page.counts {
      counts = Page.Counts(
        firstOrdinal: direction == .older ? fresh.firstOrdinal : counts?.firstOrdinal ?? fresh.firstOrdinal,
        total: fresh.total, isExact: fresh.isExact)
    } else if direction == .older {
      counts?.firstOrdinal -= page.messages.count
    }
    if holdsOldestEdge { counts?.firstOrdinal = 0 }
  }

  /// The reader who scrolled beyond the end is at the first message of what was found there.
  private mutating func scrollReader(into messages: [Message], _ direction: Direction) {
    switch direction {
    case .older: reader.go(to: messages.last?.id ?? reader.place)
    case .newer where holdsNewestEdge: reader.go(to: run.last?.id, follows: followsNewest)
    case .newer: reader.go(to: messages.first?.id ?? reader.place)
    }
  }

  static let frozenError = StoreError(
    .invalidRequest, "cannot read on in a frozen view",
    cause: "the messages have changed since it was frozen",
    remedy: "thawing it")
}

// MARK: Whole windows

extension MessageWindow {
  private mutating func landMain(_ page: Page) {
    guard let load = main else { return }
    main = nil
    if let jump = load.jump {
      land(page, jump)
    } else if isReaderBeyond(page) {
      return reread()
    } else {
      landAgain(page)
    }
    fit(favouring: nil)
    countArrivals()
    if owesReread, frozen == nil { return reread() }
    prefetch()
    for direction in Direction.allCases where self[direction].isWanted {
      self[direction].isWanted = false
      scroll(direction)
    }
  }

  private mutating func land(_ page: Page, _ jump: Jump) {
    let left = isLoaded ? position : nil
    let isSameState = isLoaded && jump.selection == selection && page.version == version
    if jump.selection != selection { arrivals = Arrivals() }
    selection = jump.selection
    isLoaded = true
    if isSameState, run.overlaps(page.messages) { unite(with: page) } else { replace(with: page) }
    older.activity = .idle
    newer.activity = .idle
    resolution = page.resolution
    let rowOffset = page.resolution.manner == .exact ? jump.rowOffset : 0
    reader.go(to: place(for: jump.anchor, in: page), rowOffset: rowOffset)
    reader.isFollowing = jump.follows && followsNewest && holdsNewestEdge
    if reader.isFollowing { showNewestEdge() }
    // From the newest edge to the newest edge is no jump.
    if let left, !(left.isFollowing && reader.isFollowing) { history.note(jump.effect, from: left) }
  }

  private func place(for anchor: Anchor, in page: Page) -> Message.ID? {
    if let message = page.resolution.message { return message }
    return switch anchor {
    case .oldest, .after: page.messages.first?.id
    default: page.messages.last?.id
    }
  }

  private mutating func replace(with page: Page) {
    run.replace(with: page.messages)
    counts = page.counts
    version = page.version
    older = Side(end(.older, of: page), like: older)
    newer = Side(end(.newer, of: page), like: newer)
  }

  /// Whether the selection goes on beyond an end of a page, and where the source stopped looking.
  private func end(_ direction: Direction, of page: Page) -> (goesOn: Bool, resumption: Anchor?) {
    let resumption = page.resumption?.towards(direction)
    return (resumption != nil || (direction == .older ? page.hasOlder : page.hasNewer), resumption)
  }

  /// Joins a page of the state that is held to what it overlaps.
  private mutating func unite(with page: Page) {
    let beyond = run.beyond(page.messages)
    let held = counts
    run.replace(with: beyond.older + page.messages + beyond.newer)
    if beyond.older.isEmpty {
      (older.goesOn, older.resumption) = end(.older, of: page)
      counts = page.counts
    } else {
      counts = held
    }
    if beyond.newer.isEmpty {
      (newer.goesOn, newer.resumption) = end(.newer, of: page)
    }
  }
}

// MARK: The same window again

extension MessageWindow {
  /// Whether the reader went, while the page was being read, to where it does not reach.
  private func isReaderBeyond(_ page: Page) -> Bool {
    guard !reader.isFollowing, let place = reader.place, let first = page.messages.first,
      let last = page.messages.last
    else { return reader.isFollowing && page.hasNewer }
    return (place < first.id && page.hasOlder) || (place > last.id && page.hasNewer)
  }

  private mutating func landAgain(_ page: Page) {
    older.endJoining()
    newer.endJoining()
    if page.version == version, page.messages.map(\.id) == run.messages.map(\.id) { return }
    replace(with: page)
    if reader.isFollowing, holdsNewestEdge {
      showNewestEdge()
      resolution = Page.Resolution(.exact)
    } else {
      findReader(page.resolution)
    }
  }

  /// Puts the reader at the first message of their view that is still there; else where the source found the nearest
  /// neighbour of what is gone.
  private mutating func findReader(_ found: Page.Resolution) {
    guard !run.isEmpty else { return }
    guard let place = reader.place else { return settleReader(found) }
    resolution = Page.Resolution(.exact, message: place)
    if run.index(of: place) != nil { return }
    let next = run.index(after: place)
    let end = reader.lastInView.map { run.index(after: $0) } ?? next
    reader.rowOffset = 0
    if next < end {
      reader.place = run.messages[next].id
      resolution = Page.Resolution(.nearestNewer, message: reader.place)
    } else {
      settleReader(found)
    }
  }

  private mutating func settleReader(_ found: Page.Resolution) {
    reader.go(to: found.message ?? run.last?.id)
    resolution = found
  }

  /// The reader sees the newest messages, as many as they saw before.
  private mutating func showNewestEdge() {
    let seen = min(max(reader.heightInMessages, 1), run.count)
    reader.place = run.isEmpty ? reader.place : run.messages[run.count - seen].id
    reader.lastInView = run.last?.id
    reader.rowOffset = 0
  }
}

extension MessageWindow.Side {
  /// Creates an end in place of another one, of which it keeps what it is doing.
  fileprivate init(_ end: (goesOn: Bool, resumption: Anchor?), like other: Self) {
    self.init(
      goesOn: end.goesOn, activity: other.activity, resumption: end.resumption, isWanted: other.isWanted)
  }

  fileprivate mutating func endJoining() {
    if activity == .joined { activity = .idle }
  }
}

extension Anchor {
  /// This anchor if reading goes on from it in this direction.
  fileprivate func towards(_ direction: MessageWindow.Direction) -> Anchor? {
    switch (self, direction) {
    case (.before, .older), (.after, .newer): self
    default: nil
    }
  }
}
