internal import MessageModel
internal import MessageStorage

/// The switcher: conversations and saved filters over the messages, and Enter goes to one.
extension Session {
  /// Shows the switcher, or lists all conversations where there is no screen. What was being typed is put aside: it names nothing
  /// there.
  mutating func showSwitcher() throws -> Effects {
    guard reader.traits.hasWindow else { return try listConversations() }
    let before = open
    reader.cover = .switcher(try Switcher(context))
    newsLook.hurry()
    var effects = Effects(stops: [.hits])
    guard before != .question, !typedLine.isEmpty else { return effects }
    if before != .list { lineAside = typedLine }
    (effects.droppedLine, typedLine) = (typedLine, "")
    return effects
  }

  /// Returns the line that was put aside, once the switcher is put away and nothing else asks for a line.
  mutating func takeLineAside() -> String? {
    guard reader.cover.switcher == nil, question == nil else { return nil }
    defer { lineAside = nil }
    return lineAside
  }

  /// Looks up what is new in the timelines of the switcher, if it is open and that is due.
  mutating func lookingForNews() -> [Job] {
    guard reader.cover.switcher != nil, newsLook.begin() else { return [] }
    return [
      Job(.news) { [store = context.store] report, isCancelled in
        // The list is there without it: what is damaged is told where messages are read.
        let news = SynchronousMessageStore.whileCancellable(by: isCancelled) { try? store.timelineNews() }
        report(.news(news))
      }
    ]
  }

  /// Takes in what is new.
  mutating func take(_ news: TimelineNews?) {
    newsLook.end()
    if let news { reader.cover.switcher?.take(news) }
  }
}

extension Session where R == ScreenReader {
  /// Answers an event while the switcher is shown; `nil` if it means the same as over the messages.
  mutating func answerInSwitcher(_ event: ReplEvent) throws -> Effects? {
    // What is typed answers the question then.
    guard question == nil else { return nil }
    switch event {
    case .typed(let line):
      reader.cover.switcher?.narrow(by: line)
      return nil
    case .key(let key, let count): return try press(inSwitcher: key, min(max(1, count), 10_000))
    case .storeChanged:
      reader.cover.switcher?.noticeChange()
      return nil
    case .line, .search, .resized, .timePassed, .interrupted, .reported, .completions: return nil
    }
  }

  private mutating func press(inSwitcher key: ReplKey, _ count: Int) throws -> Effects? {
    let page = reader.view.height
    switch key {
    case .rowOlder, .nextHit, .repeatHit: reader.cover.switcher?.move(-count)
    case .rowNewer, .previousHit, .reverseHit: reader.cover.switcher?.move(count)
    case .rowsOlder: reader.cover.switcher?.move(-3 * count)
    case .rowsNewer: reader.cover.switcher?.move(3 * count)
    case .halfOlder: reader.cover.switcher?.move(-page / 2 * count)
    case .halfNewer: reader.cover.switcher?.move(page / 2 * count)
    case .pageOlder: reader.cover.switcher?.move(-page * count)
    case .pageNewer: reader.cover.switcher?.move(page * count)
    case .oldest: reader.cover.switcher?.move(-.max)
    case .newest: reader.cover.switcher?.move(.max)
    case .choose:
      let command = reader.cover.switcher?.chosenEntry?.command
      reader.putAway()
      let effects = try command.map { try perform(TypedCommand($0, .reads)) } ?? Effects()
      try tell(effects)
      return effects
    case .close, .escape, .switcher:
      reader.putAway()
      return Effects(emptiesLine: true)
    case .dayOlder, .dayNewer, .redraw, .unread, .map, .hits, .answered, .steps: return nil
    }
    return Effects()
  }
}
