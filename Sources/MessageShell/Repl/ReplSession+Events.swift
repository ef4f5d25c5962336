internal import MessageModel

extension ReplSession {
  /// Takes an event in.
  ///
  /// Nothing is thrown: what could not be done is said in the status line, and a line that could not be carried out
  /// comes back in the outcome.
  public mutating func handle(_ event: Event) -> Outcome {
    switch event {
    case .resized, .storeChanged, .reported: break
    default: hint = []
    }
    do {
      switch event {
      case .typed: break
      case .search(let query, let direction): return try search(query, toward: direction)
      case .line(let line): return handle(line: line)
      case .key(let key, let count): return try press(key, count)
      case .resized(let rows, let columns):
        self.rows = max(2, rows)
        self.columns = max(2, columns)
        try layOut()
      case .storeChanged:
        try view.sourceChanged()
        noteVisible()
        return Outcome(works: counting())
      case .reported(let report): return try take(report)
      case .interrupted: return try interrupt()
      case .completions(let words):
        notice = Row(words.map { SafeText.oneLine($0) }.joined(separator: "  "), .status)
      }
    } catch {
      report(error)
    }
    return Outcome()
  }

  private mutating func handle(line: String) -> Outcome {
    notice = nil
    let hadOverlay = overlay != nil
    overlay = nil
    do {
      if let command = try CommandParser.command(in: line) { return try perform(command) }
      if hadOverlay { noteVisible() }
      return Outcome()
    } catch {
      report(error)
      return Outcome(line: line)
    }
  }

  /// Says in the status line what went wrong, why, and the way out.
  mutating func report(_ error: any Error) { notice = Self.problem(Self.sentence(about: error)) }

  /// What went wrong, why, and the way out, in one line.
  static func sentence(about error: any Error) -> String {
    guard let error = error as? any ExplainedError else { return "\(error)" }
    var text = error.summary
    if let cause = error.cause { text += "; \(cause)" }
    if let remedy = error.remedy { text += " — try: \(remedy)" }
    return text
  }

  static func problem(_ text: String) -> Row {
    Row(" " + SafeText.oneLine(text), Style(color: .problem, isReversed: true))
  }

  /// Puts away what covers the messages, and stops long work; the search, if there is nothing else.
  private mutating func interrupt() throws -> Outcome {
    if notice == nil, overlay == nil, transfer == nil { try endSearch() }
    notice = nil
    overlay = nil
    return Outcome(stops: [.search, .transfer])
  }

  mutating func say(_ text: String) { notice = Row(" " + text, .status) }

  // MARK: Keys

  private mutating func press(_ key: Key, _ count: Int) throws -> Outcome {
    notice = nil
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
    case .unread: try jump(to: .firstUnread)
    case .redraw: try view.sourceChanged()
    case .halfOlder: try scroll(rows: -count * max(1, view.height / 2))
    case .halfNewer: try scroll(rows: count * max(1, view.height / 2))
    case .repeatHit: return try step(search?.direction ?? .older)
    case .reverseHit: return try step(search?.direction == .newer ? .older : .newer)
    case .nextHit: return try step(.newer)
    case .previousHit: return try step(.older)
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
