internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  func mark(_ name: String) throws -> Effects {
    guard let place = reader.sight.place?.id, reader.sight.visible != nil,
      let conversation = try context.openConversation?.id ?? context.message(place)?.conversation
    else {
      throw UsageError(
        "no message to mark", cause: "no message is in view", remedy: "/goto PLACE, then /mark NAME")
    }
    guard NamedMark.isName(name) else {
      throw UsageError("mark names: one line, up to 80 characters")
    }
    var mark = NamedMark(name: name, conversation: conversation, message: place)
    mark.view = context.openConversation == nil ? context.timeline.keptName : nil
    try context.store.setMark(mark)
    let shown = SafeText.oneLine(name)
    return Effects(.notice("mark '\(shown) set; /goto '\(shown) returns here"))
  }

  mutating func listMarks() throws -> Effects {
    let marks = try context.store.marks()
    if marks.isEmpty {
      return Effects(.listing(Listing(lines: ["there are no marks: /mark NAME sets one"], choice: .mark)))
    }
    let rows = try marks.map { mark in
      let message = try context.message(mark.message)
      return [
        "'" + SafeText.oneLine(mark.name),
        SafeText.oneLine(try context.place(of: mark)),
        DateText.minute(
          of: message?.moment ?? mark.message.placeTime, message?.precision, &context.clock),
      ]
    }
    return Effects(
      .listing(
        Listing(lines: ReplContext.lines(TextTable.text(rows)), choice: .mark, names: marks.map(\.name))))
  }
}

extension ReplContext {
  /// The name of the view in which the mark was set, or of its conversation.
  fileprivate func place(of mark: NamedMark) throws(StoreError) -> String {
    if let view = mark.view, let found = try? store.timeline(Timeline.opening(keptAs: view)) {
      return found.name
    }
    return try store.conversation(mark.conversation)?.name ?? ""
  }

  /// Finds a mark; opens its conversation unless the timeline shows it. `isElsewhere` tells whether it did.
  mutating func open(mark name: String) throws -> (message: Message.ID, isElsewhere: Bool) {
    let marks = try store.marks()
    guard let mark = marks.first(where: { $0.name == name }) else {
      let near = Nearest.name(to: name, among: marks.map(\.name))
      throw UsageError(
        "there is no mark '\(SafeText.oneLine(name).cut(columns: 40))'",
        remedy: near.map { "/goto '\(SafeText.oneLine($0))" } ?? "/marks", status: .nothingFound)
    }
    let before = timeline.key
    if let view = mark.view.flatMap({ try? store.timeline(Timeline.opening(keptAs: $0)) }) {
      if view.key != before { enter(view) }
      if try shows(mark) { return (mark.message, timeline.key != before) }
    } else if try shows(mark) {
      return (mark.message, false)
    }
    guard let found = try store.conversation(mark.conversation) else {
      throw UsageError("the conversation of that mark is gone", status: .nothingFound)
    }
    enter(.conversation(found))
    return (mark.message, timeline.key != before)
  }

  /// Whether the timeline shows the marked message or, if it is gone, its surroundings.
  private func shows(_ mark: NamedMark) throws(StoreError) -> Bool {
    if timeline.showsAll(of: mark.conversation) { return true }
    return try message(mark.message).map { wholeSelection.contains($0) } ?? false
  }
}
