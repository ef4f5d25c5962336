import MessageModel

extension MessageWindow {
  /// Whether the window still waits for the page of this request; if not, it need not be read.
  public func isWaiting(for ticket: Ticket) -> Bool {
    switch ticket.purpose {
    case .main: main?.ticket == ticket
    case .older: older.activity == .reading(ticket)
    case .newer: newer.activity == .reading(ticket)
    case .arrivals: arrivals.ticket == ticket
    }
  }

  subscript(direction: Direction) -> Side {
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

  /// Asks for the next page in a direction.
  mutating func requestPage(_ direction: Direction, scrolls: Bool = false) {
    let ticket = newTicket(direction == .older ? .older : .newer)
    self[direction].activity = .reading(ticket)
    self[direction].scrolls = scrolls
    send(
      ticket,
      PageRequest(
        selection, anchor: anchor(direction), fetchLimit: pageLimit, wantsCounts: counts?.isExact != true))
  }

  /// The place from which to read on. Where nothing was found yet that is where looking in the other direction has come to.
  func anchor(_ direction: Direction) -> PageAnchor {
    if let nextAnchor = self[direction].nextAnchor { return nextAnchor }
    let start = run.isEmpty ? reached(direction.opposite) : nil
    return switch direction {
    case .older: (run.first?.id ?? start?.successor).map { .before($0) } ?? .newest
    case .newer: (run.last?.id ?? start?.predecessor).map { .after($0) } ?? .oldest
    }
  }

  /// Asks for what is held around the reader once more, and for the pages that were being read with it: all in one
  /// transaction. What is held farther off is let go of: each change would have to read it again. Where a whole window is being
  /// read already, it is asked for when that has come.
  mutating func reload() {
    needsReload = true
    guard isLoaded, main == nil else { return }
    if spansStates { return lookForNews() }
    let visible = visibleIndices
    let held = run.isEmpty || !(older.isFull || newer.isFull) ? max(run.count, jumpLimit) : run.count + 2
    var limit = min(held, max(jumpLimit, visible.count + 2 * sizes.reach + sizes.page))
    let beside = max(limit - visible.count, 0)
    var share = min(visible.lowerBound, max(beside / 2, beside - (run.count - visible.upperBound)))
    for direction in Direction.allCases where self[direction].isReading {
      limit += pageLimit
      if direction == .older { share += pageLimit }
      self[direction].activity = .joined
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
    // A reader stays where they are, whatever has become of the first message that they saw.
    fetch.followsMoves = false
    send(ticket, fetch)
  }

  /// Asks again for what lies beyond the newest message held; where there was nothing, for all.
  ///
  /// What is being read there may not know of the news: it is asked for again when that has come.
  private mutating func lookForNews() {
    needsReload = run.isEmpty || newer.isReading
    if run.isEmpty, !older.hasMore, !newer.hasMore {
      return jump(Jump(anchor: .newest, selection: selection, effect: .none))
    }
    if !run.isEmpty { newer.hasMore = true }
    prefetch()
  }

  /// Asks for what the reader will want next.
  mutating func prefetch() {
    guard isLoaded, main == nil else { return }
    let visible = visibleIndices
    let distances = [(Direction.older, visible.lowerBound), (.newer, run.count - visible.upperBound)]
    for (direction, distance) in distances.sorted(by: { $0.1 < $1.1 }) {
      let side = self[direction]
      guard side.goesOn, side.activity == .idle, !side.isFull else { continue }
      if distance < sizes.reach || run.isEmpty { requestPage(direction) }
    }
  }

  /// Finds out how many messages came in since the reader was at the newest edge: from what is held if that tells,
  /// else by asking.
  mutating func countArrivals() {
    guard frozen == nil, !spansStates else { return }
    if reader.isFollowing {
      arrivals = Arrivals(edge: run.last?.id ?? .lowest, count: 0, version: version)
    } else if let edge = arrivals.edge, holdsNewestEdge,
      !older.hasMore || run.first.map({ $0.id <= edge }) == true
    {
      arrivals = Arrivals(edge: edge, count: run.count - run.index(after: edge), version: version)
    } else if arrivals.version != version {
      let edge = arrivals.edge
      ask(
        PageRequest(
          selection, anchor: edge.map { .after($0) } ?? .newest, fetchLimit: edge == nil ? 1 : 0,
          wantsCounts: edge != nil))
    }
  }

  /// Asks how far the source has come, without showing anything of it.
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
  /// The indices of the messages in view; those of the reader's place if nothing is known of their screen.
  var visibleIndices: Range<Int> {
    guard let place = reader.place, !run.isEmpty else { return 0..<0 }
    let start = min(run.index(atOrAfter: place), run.count - 1)
    let end = reader.lastInView.map { run.index(after: $0) } ?? 0
    return start..<max(end, start + 1)
  }

  /// The numbers of messages to read at once and to have ready on either side, for this reader's screen and speed.
  var sizes: (page: Int, reach: Int) {
    let room = max(limits.messages - max(reader.heightInMessages, 1), 1)
    let wanted = max(limits.prefetchDistance, reader.heightInMessages, reader.stride)
    let page = min(max(limits.pageSize, min(wanted, room / 3)), room)
    return (page, min(wanted, (room - page) / 2))
  }

  /// The number of messages to ask for in one direction: fewer than a page if they would not fit.
  var pageLimit: Int {
    guard run.byteCount > 0 else { return sizes.page }
    return min(sizes.page, max(limits.bytes / (run.byteCount / run.count), 1))
  }

  /// The number of messages to ask for at a new place.
  var jumpLimit: Int {
    min(limits.messages, max(2 * sizes.page, 2 * sizes.reach + max(reader.heightInMessages, 1)))
  }
}
