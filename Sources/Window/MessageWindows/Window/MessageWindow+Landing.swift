package import MessageModel

extension MessageWindow {
  /// Receives a page that was requested.
  ///
  /// A page that the window no longer waits for, for example after a jump, changes nothing. A page that
  /// violates the requirements of a source counts as a failed read.
  ///
  /// - Complexity: O(*held* + page).
  package mutating func pageArrived(_ page: Page, for ticket: Ticket) -> Update {
    step { window in
      guard window.isWaiting(for: ticket) else { return }
      if let error = window.error(in: page, for: ticket) { return window.fail(ticket, error) }
      window.own = page.own
      switch ticket.purpose {
      case .arrivals: window.landArrivals(page)
      case _ where window.frozen != nil && page.version != window.version:
        window.fail(ticket, Self.frozenError)
      // Pages of different states are not joined: both are read again, in one request.
      case .older where !window.joins(page), .newer where !window.joins(page): window.reload()
      case .main: window.landMain(page)
      case .older: window.land(page, .older)
      case .newer: window.land(page, .newer)
      }
    }
  }

  /// Records that a page could not be read. The held messages stay.
  package mutating func loadFailed(_ error: StoreError, for ticket: Ticket) -> Update {
    step { window in
      if window.isWaiting(for: ticket) { window.fail(ticket, error) }
    }
  }

  /// Records that a page will not be read, as if it had not been requested.
  package mutating func loadCancelled(for ticket: Ticket) -> Update {
    step { window in
      guard window.isWaiting(for: ticket) else { return }
      switch ticket.purpose {
      case .main:
        window.needsReload = window.needsReload || window.main?.needsReload == true
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

  private func joins(_ page: Page) -> Bool { spansStates || page.version == version }

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
    needsReload = needsReload || load.needsReload
    for direction in ScrollDirection.allCases where self[direction].activity == .joined {
      self[direction].activity = load.jump == nil ? .failed(error) : .idle
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

extension MessageWindow {
  private mutating func land(_ page: Page, _ direction: ScrollDirection) {
    let scrolls = self[direction].scrolls
    // In an empty window, the reader's position is left over from earlier messages.
    let isFirst = run.isEmpty
    self[direction].activity = .idle
    self[direction].end = end(direction, of: page)
    switch direction {
    case .older: run.prepend(page.messages)
    case .newer: run.append(page.messages)
    }
    if isFirst, !page.messages.isEmpty, self[direction.opposite].nextAnchor == nil {
      self[direction.opposite].gap = end(direction.opposite, of: page).gap
    }
    noteCounts(page, direction)
    if scrolls || isFirst { scrollReader(into: page.messages, direction) }
    fit(favouring: direction)
    countArrivals()
    if page.messages.isEmpty, self[direction].goesOn { return requestPage(direction, scrolls: scrolls) }
    if spansStates, needsReload { return reload() }
    prefetch()
  }

  private mutating func noteCounts(_ page: Page, _ direction: ScrollDirection) {
    if let fresh = page.counts {
      counts = Page.Counts(
        firstOrdinal: direction == .older ? fresh.firstOrdinal : counts?.firstOrdinal ?? fresh.firstOrdinal,
        total: fresh.total, isExact: fresh.isExact)
    } else if direction == .older {
      counts?.firstOrdinal -= page.messages.count
    }
    if !older.hasMore { counts?.firstOrdinal = 0 }
  }

  private mutating func scrollReader(into messages: [Message], _ direction: ScrollDirection) {
    switch direction {
    case .older: reader.go(to: messages.last?.id ?? reader.place)
    case .newer where holdsNewestEdge: reader.go(to: run.last?.id, follows: followsNewest)
    case .newer: reader.go(to: messages.first?.id ?? reader.place)
    }
  }

  static let frozenError = StoreError(
    .invalidRequest, "cannot read on in a frozen view",
    cause: "the messages have changed since it was frozen",
    remedy: "thaw the view")

  func end(_ direction: ScrollDirection, of page: Page) -> Side.End {
    let nextAnchor = page.nextAnchor?.towards(direction)
    return Side.End(
      hasMore: nextAnchor != nil || (direction == .older ? page.hasOlder : page.hasNewer),
      gap: direction == .older ? page.olderGap : page.newerGap, nextAnchor: nextAnchor)
  }
}

extension PageAnchor {
  fileprivate func towards(_ direction: ScrollDirection) -> PageAnchor? {
    switch (self, direction) {
    case (.before, .older), (.after, .newer): self
    default: nil
    }
  }
}
