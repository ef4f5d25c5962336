import MessageModel

extension MessageWindow {
  mutating func landMain(_ page: Page) {
    guard let load = main else { return }
    main = nil
    if let jump = load.jump, let place = neighbour(ofGapIn: page) {
      return self.jump(jump.around(place))
    } else if let jump = load.jump {
      land(page, jump)
    } else if isBeyondGap(page) {
      // The reader was at the newest edge, and messages are missing between there and the page.
      reader.isFollowing = false
      return reload()
    } else if isReaderBeyond(page, for: load) {
      return reload()
    } else {
      landAgain(page)
    }
    fit(favouring: nil)
    countArrivals()
    if let look = load.jump?.look { lookOn(after: look) }
    if needsReload, frozen == nil { return reload() }
    prefetch()
    for direction in ScrollDirection.allCases where self[direction].isWanted {
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
    // A view that shows rows by ordinal shows these already.
    if jump.look == nil { landingCount += 1 }
    let rowOffset = page.resolution.match == .exact ? jump.rowOffset : 0
    reader.go(to: place(for: jump.anchor, in: page), rowOffset: rowOffset)
    reader.isFollowing = jump.follows && followsNewest && holdsNewestEdge
    if reader.isFollowing { showNewestEdge() }
    // A jump from the newest edge to the newest edge changes nothing.
    if let left, !(left.isFollowing && reader.isFollowing) { history.note(jump.effect, from: left) }
  }

  private func place(for anchor: PageAnchor, in page: Page) -> Message.ID? {
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

  private mutating func unite(with page: Page) {
    let beyond = run.beyond(page.messages)
    let held = counts
    run.replace(with: beyond.older + page.messages + beyond.newer)
    if beyond.older.isEmpty {
      older.end = end(.older, of: page)
      counts = page.counts
    } else {
      counts = held
    }
    if beyond.newer.isEmpty {
      newer.end = end(.newer, of: page)
    }
  }
}

extension MessageWindow {
  private func isReaderBeyond(_ page: Page, for load: MainLoad) -> Bool {
    guard !reader.isFollowing, let place = reader.place, let first = page.messages.first,
      let last = page.messages.last
    else { return reader.isFollowing && page.hasNewer }
    // If the message is gone, its neighbours may lie beyond a gap.
    guard place != load.place || page.olderGap == nil && page.newerGap == nil else { return false }
    return (place < first.id && page.hasOlder) || (place > last.id && page.hasNewer)
  }

  /// Returns the message to go to if the anchor's position is in a gap without messages.
  private func neighbour(ofGapIn page: Page) -> Message.ID? {
    page.messages.isEmpty ? page.olderGap?.before ?? page.newerGap?.after : nil
  }

  /// Whether a gap separates the newest messages from a reader at the newest edge.
  private func isBeyondGap(_ page: Page) -> Bool {
    guard reader.isFollowing, let gap = page.olderGap, let newest = run.last?.id, let after = gap.after else {
      return false
    }
    return newest <= after
  }

  private mutating func landAgain(_ page: Page) {
    older.endJoining()
    newer.endJoining()
    if isHeld(page) { return }
    replace(with: page)
    if reader.isFollowing, !holdsNewestEdge, newer.gap != nil {
      reader.isFollowing = false
      showNewestEdge()
      resolution = Page.Resolution(.exact)
    } else if reader.isFollowing, holdsNewestEdge {
      showNewestEdge()
      resolution = Page.Resolution(.exact)
    } else {
      findReader(page.resolution)
    }
  }

  private func isHeld(_ page: Page) -> Bool {
    page.version == version && page.messages.count == run.count
      && page.messages.first?.id == run.first?.id && page.messages.last?.id == run.last?.id
  }

  /// Moves to the first message of the view that still exists, else to the neighbour that the source found.
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

  private mutating func showNewestEdge() {
    let seen = min(max(reader.heightInMessages, 1), run.count)
    reader.place = run.isEmpty ? reader.place : run.messages[run.count - seen].id
    reader.lastInView = run.last?.id
    reader.seesEnd = true
    reader.rowOffset = 0
  }
}

extension MessageWindow.Side {
  fileprivate init(_ end: End, like other: Self) {
    self.init(
      hasMore: end.hasMore, gap: end.gap, activity: other.activity, nextAnchor: end.nextAnchor,
      isWanted: other.isWanted)
  }

  fileprivate mutating func endJoining() {
    if activity == .joined { activity = .idle }
  }
}
