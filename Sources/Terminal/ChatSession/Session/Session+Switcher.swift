internal import MessageModel
internal import MessageStorage

extension Session {
  /// Shows the switcher; without a screen lists all conversations. The typed line names no entry and is set
  /// aside.
  mutating func showSwitcher() throws -> Effects {
    guard reader.traits.hasWindow else { return try listConversations() }
    let before = open
    reader.cover = .switcher(try Switcher(context))
    lookUps.news.hurry()
    var effects = Effects(stops: [.hits])
    guard before != .question, !input.text.isEmpty else { return effects }
    if before != .list { input.aside = input.text }
    (effects.droppedLine, input.text) = (input.text, "")
    return effects
  }

  /// Returns the line set aside, once the switcher is closed and no question is open.
  mutating func takeLineAside() -> String? {
    guard reader.cover.switcher == nil, question == nil else { return nil }
    defer { input.aside = nil }
    return input.aside
  }

  /// Looks up unread messages for the switcher, if that is due.
  mutating func lookingForNews() -> [Job] {
    guard reader.cover.switcher != nil, lookUps.news.begin() else { return [] }
    return [
      Job(.news) { [store = context.store] report, isCancelled in
        // Reading the messages reports errors; the switcher works without news.
        let news = SynchronousMessageStore.whileCancellable(by: isCancelled) { try? store.timelineNews() }
        report(.news(news))
      }
    ]
  }

  mutating func take(_ news: TimelineNews?) {
    lookUps.news.end()
    if let news { reader.cover.switcher?.take(news) }
  }
}

extension Session where R == ScreenReader {
  /// `nil` if the event has its usual meaning.
  mutating func answerInSwitcher(_ event: ReplEvent) throws -> Effects? {
    // Typing replies to the question.
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
