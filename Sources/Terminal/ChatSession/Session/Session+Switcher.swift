internal import MessageModel
internal import MessageStorage

extension Session {
  /// Without a screen lists all conversations. The typed line names no entry and is set aside.
  mutating func showSwitcher() throws -> Effects {
    guard reader.traits.hasWindow else { return try listConversations() }
    let before = open
    reader.cover.list = try Switcher(context)
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
