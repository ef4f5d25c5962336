import MessageModel

extension MessageWindow {
  /// Whether the window still waits for the page of this request; otherwise it need not be read.
  package func isWaiting(for ticket: Ticket) -> Bool {
    switch ticket.purpose {
    case .main: main?.ticket == ticket
    case .older: older.activity == .reading(ticket)
    case .newer: newer.activity == .reading(ticket)
    case .arrivals: arrivals.ticket == ticket
    }
  }

  subscript(direction: ScrollDirection) -> Side {
    get { direction == .older ? older : newer }
    set { if direction == .older { older = newValue } else { newer = newValue } }
  }

  mutating func newTicket(_ purpose: Ticket.Purpose) -> Ticket {
    lastTicket += 1
    return Ticket(purpose: purpose, number: lastTicket)
  }

  mutating func send(_ ticket: Ticket, _ fetch: PageRequest) {
    var fetch = fetch
    fetch.wantsPayloads = wantsPayloads && fetch.fetchLimit > 0
    fetch.stopsAtGaps = stopsAtGaps && fetch.fetchLimit > 0
    outbox.append(Request(ticket: ticket, fetch: fetch))
  }

  mutating func requestPage(_ direction: ScrollDirection, scrolls: Bool = false) {
    let ticket = newTicket(direction == .older ? .older : .newer)
    self[direction].activity = .reading(ticket)
    self[direction].scrolls = scrolls
    send(
      ticket,
      PageRequest(
        selection, anchor: anchor(direction), fetchLimit: pageLimit, wantsCounts: counts?.isExact != true))
  }

  /// If nothing was found yet, reading continues where the search in the other direction stopped.
  func anchor(_ direction: ScrollDirection) -> PageAnchor {
    if let nextAnchor = self[direction].nextAnchor { return nextAnchor }
    let start = run.isEmpty ? reached(direction.opposite) : nil
    return switch direction {
    case .older: (run.first?.id ?? start?.successor).map { .before($0) } ?? .newest
    case .newer: (run.last?.id ?? start?.predecessor).map { .after($0) } ?? .oldest
    }
  }

  /// Reads the messages around the reader again, and the pages being read there, in one transaction. Messages
  /// farther away are released, since otherwise each change would read them again. A read of a whole window
  /// is finished first.
  mutating func reload() {
    needsReload = true
    guard isLoaded, main == nil else { return }
    if spansStates { return lookForNews() }
    let visible = visibleIndices
    let held = run.isEmpty || !(older.isFull || newer.isFull) ? max(run.count, jumpLimit) : run.count + 2
    var limit = min(held, max(jumpLimit, visible.count + 2 * sizes.reach + sizes.page))
    let beside = max(limit - visible.count, 0)
    var share = min(visible.lowerBound, max(beside / 2, beside - (run.count - visible.upperBound)))
    for direction in ScrollDirection.allCases where self[direction].isReading || isDue(direction) {
      limit += pageLimit
      if direction == .older { share += pageLimit }
      self[direction].activity = .joined
    }
    if !reader.isFollowing, !newer.isFull {
      // Messages that arrived between the newest ones in view may push those out of the page, and leave a
      // hole on the screen until more is read.
      limit += max(sizes.reach - (run.count - visible.upperBound), 0)
    }
    if limit > limits.messages, older.activity != .joined {
      share = max(share - (limit - limits.messages), 0)
    }
    let ticket = newTicket(.main)
    main = MainLoad(ticket: ticket, place: reader.place, needsReload: true)
    needsReload = false
    if failedMain?.load.jump == nil { failedMain = nil }
    let place = reader.isFollowing ? nil : reader.place
    var fetch = PageRequest(
      selection, anchor: place.map { .around($0) } ?? .newest, fetchLimit: limit, olderShare: max(share, 0))
    // The reader stays in place, even if the first message in view has moved.
    fetch.followsMoves = false
    send(ticket, fetch)
  }

  /// Reads beyond the newest held message, or everything if no message is held.
  ///
  /// A page being read there may lack the new messages, so it is read again afterwards.
  private mutating func lookForNews() {
    needsReload = run.isEmpty || newer.isReading
    if run.isEmpty, !older.hasMore, !newer.hasMore {
      return jump(Jump(anchor: .newest, selection: selection, effect: .none))
    }
    if !run.isEmpty { newer.hasMore = true }
    prefetch()
  }

  mutating func prefetch() {
    guard isLoaded, main == nil else { return }
    let directions = ScrollDirection.allCases.sorted { distance(to: $0) < distance(to: $1) }
    for direction in directions where isDue(direction) { requestPage(direction) }
  }

  /// Whether the reader is near an end beyond which messages should be read.
  private func isDue(_ direction: ScrollDirection) -> Bool {
    let side = self[direction]
    guard side.goesOn, side.activity == .idle, !side.isFull else { return false }
    return run.isEmpty || distance(to: direction) < sizes.reach
  }

  /// The number of messages between those in view and an end.
  func distance(to direction: ScrollDirection) -> Int {
    direction == .older ? visibleIndices.lowerBound : run.count - visibleIndices.upperBound
  }

  /// Counts messages by others, from the held messages if possible, else by a request.
  mutating func countArrivals() {
    guard frozen == nil, !spansStates else { return }
    if reader.isFollowing {
      arrivals = Arrivals(edge: run.last?.id ?? .lowest, count: 0, version: version)
    } else if let edge = arrivals.edge, holdsNewestEdge,
      !older.hasMore || run.first.map({ $0.id <= edge }) == true
    {
      let news = run.messages[run.index(after: edge)...].count { !isOwn($0) }
      arrivals = Arrivals(edge: edge, count: news, version: version)
    } else if arrivals.version != version {
      let edge = arrivals.edge
      ask(
        PageRequest(
          edge.map { news(after: $0) } ?? selection, anchor: edge.map { .after($0) } ?? .newest,
          fetchLimit: edge == nil ? 1 : 0, wantsCounts: edge != nil))
    }
  }

  private func isOwn(_ message: Message) -> Bool { message.sender.map { own.contains($0.id) } ?? false }

  /// The ids bound the work of sources that count one message after another.
  private func news(after edge: Message.ID) -> Selection {
    guard !own.isEmpty, edge < .highest else { return selection }
    return selection.narrowed(to: .and([.ids(edge.successor ... .highest), .not(.sender(own))]))
  }

  mutating func askForVersion() {
    ask(PageRequest(selection, fetchLimit: 0, wantsCounts: false))
  }

  private mutating func ask(_ fetch: PageRequest) {
    let ticket = newTicket(.arrivals)
    arrivals.ticket = ticket
    arrivals.version = version
    send(ticket, fetch)
  }
}

extension MessageWindow {
  /// The messages in view, or only the reader's message if the view has reported none.
  var visibleIndices: Range<Int> {
    guard let place = reader.place, !run.isEmpty else { return 0..<0 }
    let start = min(run.index(atOrAfter: place), run.count - 1)
    let end = reader.lastInView.map { run.index(after: $0) } ?? 0
    return start..<max(end, start + 1)
  }

  /// A page, and what to prefetch on either side, in messages, for this reader's screen and speed.
  var sizes: (page: Int, reach: Int) {
    let room = max(limits.messages - max(reader.heightInMessages, 1), 1)
    let wanted = max(limits.prefetchDistance, reader.heightInMessages, reader.stride)
    let page = min(max(limits.pageSize, min(wanted, room / 3)), room)
    return (page, min(wanted, (room - page) / 2))
  }

  /// The number of messages to request in one direction: fewer than a page if a page would not fit.
  var pageLimit: Int {
    guard run.byteCount > 0 else { return sizes.page }
    return min(sizes.page, max(limits.bytes / (run.byteCount / run.count), 1))
  }

  var jumpLimit: Int {
    min(limits.messages, max(2 * sizes.page, 2 * sizes.reach + max(reader.heightInMessages, 1)))
  }
}
