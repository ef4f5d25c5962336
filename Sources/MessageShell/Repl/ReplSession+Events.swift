internal import MessageModel

extension ReplSession {
  /// Takes an event in.
  ///
  /// Nothing is thrown: what could not be done is said in the status line, and a line that could not be carried out
  /// comes back in the outcome.
  public mutating func handle(_ event: Event) -> Outcome {
    do {
      switch event {
      case .line(let line): return handle(line: line)
      case .key(let key, let count): try press(key, count)
      case .resized(let rows, let columns):
        self.rows = max(2, rows)
        self.columns = max(2, columns)
        try layOut()
      case .storeChanged:
        try view.sourceChanged()
        noteVisible()
      case .interrupted:
        notice = nil
        overlay = nil
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
      if let command = try CommandParser.command(in: line) { return Outcome(leaves: try perform(command)) }
      if hadOverlay { noteVisible() }
      return Outcome()
    } catch {
      report(error)
      return Outcome(line: line)
    }
  }

  /// Says in the status line what went wrong, why, and the way out.
  mutating func report(_ error: any Error) {
    var text = "\(error)"
    if let error = error as? any ExplainedError {
      text = error.summary
      if let cause = error.cause { text += "; \(cause)" }
      if let remedy = error.remedy { text += " — try: \(remedy)" }
    }
    notice = Row(" " + SafeText.oneLine(text), Style(color: .problem, isReversed: true))
  }

  mutating func say(_ text: String) { notice = Row(" " + text, .status) }

  // MARK: Keys

  private mutating func press(_ key: Key, _ count: Int) throws(StoreError) {
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
    }
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

  // MARK: Commands

  /// Carries out a command; whether it leaves the REPL.
  private mutating func perform(_ command: ReplCommand) throws -> Bool {
    switch command {
    case .older(let count): try move(count, .older)
    case .newer(let count): try move(count, .newer)
    case .top: try jump(to: .oldest)
    case .bottom: try jump(to: .newest)
    case .back: try retrace(.older)
    case .forward: try retrace(.newer)
    case .goto(let destination): try go(to: destination)
    case .open(let name):
      try context.open(name)
      try enter()
    case .conversations: show(try context.conversationLines())
    case .stats: show(try context.figureLines())
    case .follow(let follows): try view.follow(follows)
    case .set(let name, let value):
      let lines = try context.set(name, to: value)
      if value != nil { try layOut() }
      if lines.count == 1 { say(lines[0]) } else { show(lines) }
    case .view(let target): show(try context.details(of: try id(of: target)))
    case .reply(let target, let text): try append(text, replyTo: try id(of: target))
    case .append(let text): try append(text, replyTo: nil)
    case .help(let name): show(try HelpText.lines(about: name))
    case .quit: return true
    }
    return false
  }

  /// Moves by messages, or by a page.
  private mutating func move(_ count: Int?, _ direction: HistoryView.Direction) throws(StoreError) {
    if let count {
      try view.scroll(messages: direction == .older ? -count : count)
    } else {
      try view.scroll(rows: direction == .older ? -view.height : view.height)
    }
    noteVisible()
  }

  private mutating func retrace(_ direction: HistoryView.Direction) throws(StoreError) {
    if try !view.retrace(direction) {
      say(direction == .older ? "there is nothing to go back to" : "there is nothing to go forward to")
    }
    noteVisible()
  }

  private mutating func go(to destination: ReplCommand.Destination) throws(StoreError) {
    let anchor = context.anchor(for: destination, from: view.current?.time)
    var rowsAbove = 0
    if case .message = destination { rowsAbove = view.height / 3 }
    let resolution = try jump(to: anchor, rowsAbove: rowsAbove)
    if let remark = context.remark(on: destination, resolution) { say(remark) }
  }

  private mutating func append(_ text: String, replyTo: Message.ID?) throws(StoreError) {
    _ = try context.append(text, replyTo: replyTo)
    view.unreadAfter = nil
    try view.sourceChanged()
    if !view.isAtBottom { try view.jump(to: .newest) }
    noteVisible()
  }

  /// The message that a handle or an id calls.
  private func id(of target: ReplCommand.Target) throws(UsageError) -> Message.ID {
    switch target {
    case .message(let id): return id
    case .handle(let letters):
      if let id = handles.message(called: letters) { return id }
      throw UsageError("no message on the screen is called '\(letters)'")
    }
  }
}
