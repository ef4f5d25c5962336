internal import MessageModel
internal import TerminalText

extension ReplSession {
  /// Takes an event in.
  ///
  /// Nothing is thrown: what could not be done is said in the status line, and a line that could not be carried out
  /// comes back in the outcome.
  public mutating func handle(_ event: Event) -> Outcome {
    let outcome = respond(to: event)
    tellOfCostlyMessages(after: event)
    if let line = outcome.line { lineGivenBack = line }
    return outcome
  }

  /// Names the messages that were passed over, each once for a line: counting comes by them again.
  private mutating func tellOfCostlyMessages(after event: Event) {
    if case .line = event { costly = [] }
    let new = context.store.takeCostlyMessages().filter { costly.insert($0).inserted }
    if let error = CostlyMessages.error(new) { report(error) }
  }

  private mutating func respond(to event: Event) -> Outcome {
    switch event {
    case .resized, .storeChanged, .timePassed, .reported: break
    case .completions: hint = []
    default: (hint, choices) = ([], nil)
    }
    do {
      switch event {
      case .typed(let line): return try typed(line)
      case .search(let query, let direction):
        let ended = try endTyping()
        return ended.adding(try search(query, toward: direction))
      case .line(let line): return handle(line: line)
      case .key(let key, let count):
        var outcome = try press(key, count)
        if typing != nil { outcome.stops.insert(.typing) }
        return outcome
      case .resized(let rows, let columns):
        self.rows = max(2, rows)
        self.columns = max(2, columns)
        try layOut()
      case .storeChanged:
        try thawIfDear()
        let request = try view.noticeChange()
        noteVisible()
        try context.store.checkPlace()
        return Outcome(works: recounting() + reading(request), stops: forgetHits())
      case .timePassed:
        try thawIfOld()
        return Outcome(works: recountsAt == nil ? [] : recounting())
      case .reported(let report): return try take(report)
      case .interrupted: return try interrupt()
      case .completions(let words): if !words.isEmpty { show(choices: words) }
      }
    } catch {
      report(error)
    }
    return Outcome()
  }

  private mutating func handle(line: String) -> Outcome {
    var ended = Outcome()
    let listing = overlay
    var chosen: ReplCommand?
    do {
      ended = try endTyping()
      notice = nil
      overlay = nil
      chosen = try listing.flatMap { try choice(of: line, in: $0) }
      let closes = listing != nil && Overlay.closes(line)
      if let command = try chosen ?? (closes ? nil : CommandParser.command(in: line)) {
        let outcome = try perform(command)
        for work in outcome.works { workLines[work.lane] = line }
        return ended.adding(outcome)
      }
      if listing != nil { noteVisible() }
      return ended
    } catch {
      report(error)
      // A second Enter is to choose again, not to append the line.
      if chosen != nil { overlay = listing }
      return ended.adding(Outcome(line: line))
    }
  }

  /// Says in the status line what went wrong, why, and the way out.
  mutating func report(_ error: any Error) { report(problem: Self.sentence(about: error)) }

  mutating func report(problem text: String) {
    notice = Self.problem(isReadOnly ? HelpText.inView(text) : text)
  }

  /// What went wrong, why, and the way out, in one line.
  static func sentence(about error: any Error) -> String {
    guard let error = error as? any ExplainedError else { return "\(error)" }
    var text = error.summary
    if let cause = error.cause { text += "; \(cause)" }
    if let remedy = error.remedy { text += " — try: \(remedy)" }
    return text
  }

  private static func problem(_ text: String) -> Row {
    Row(" " + SafeText.oneLine(text), Style(color: .problem, isReversed: true))
  }

  /// Puts away what covers the messages, and stops long work; the search, if there is nothing else.
  private mutating func interrupt() throws -> Outcome {
    if typing != nil {
      overlay = nil
      return try endTyping().adding(Outcome(stops: [.search, .transfer]))
    }
    if notice == nil, overlay == nil, transfer == nil { try endSearch() }
    notice = nil
    overlay = nil
    return Outcome(stops: [.search, .transfer])
  }

  mutating func say(_ text: String) {
    notice = Row(" " + SafeText.oneLine(isReadOnly ? HelpText.inView(text) : text), .status)
  }

  // MARK: Keys

  private mutating func press(_ key: Key, _ count: Int) throws -> Outcome {
    notice = nil
    if key == .close {
      guard overlay != nil else { return Outcome(leaves: true) }
      overlay = nil
      noteVisible()
      return Outcome()
    }
    if let overlay, overlay.lines.count <= view.height { self.overlay = nil }
    let count = min(max(1, count), 10_000)
    switch key {
    case .pageOlder: try scroll(rows: -count * view.height)
    case .pageNewer: try scroll(rows: count * view.height)
    case .rowOlder: try scroll(rows: -count)
    case .rowNewer: try scroll(rows: count)
    case .rowsOlder: try scroll(rows: -3 * count)
    case .rowsNewer: try scroll(rows: 3 * count)
    case .oldest: try jump(to: .oldest)
    case .newest: try jump(to: .newest)
    case .unread: try jump(to: try firstUnread())
    case .redraw: try view.sourceChanged()
    case .halfOlder: try scroll(rows: -count * max(1, view.height / 2))
    case .halfNewer: try scroll(rows: count * max(1, view.height / 2))
    case .repeatHit: return try step(search?.direction ?? .older)
    case .reverseHit: return try step(search?.direction == .newer ? .older : .newer)
    case .nextHit: return try step(.newer)
    case .previousHit: return try step(.older)
    case .close: break
    }
    return Outcome()
  }

  private mutating func scroll(rows: Int) throws(StoreError) {
    if let overlay {
      let last = max(0, overlay.lines.count - view.height)
      self.overlay?.top = min(max(0, overlay.top + rows), last)
    } else {
      try view.scroll(rows: rows)
      noteVisible()
    }
  }

  @discardableResult
  mutating func jump(to anchor: Anchor, rowsAbove: Int = 0) throws(StoreError) -> Page.Resolution {
    overlay = nil
    defer { noteVisible() }
    return try view.jump(to: anchor, rowsAbove: rowsAbove)
  }
}
