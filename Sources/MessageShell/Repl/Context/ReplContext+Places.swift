internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// The days or months of the conversation to choose from: a line each with date and number of messages.
  func sectionListing(by span: HistorySection.Span) throws(StoreError) -> Listing {
    let days = try store.sections(of: conversation.id, by: span, zone: zone).map { DayAnswer($0, span) }
    if days.isEmpty { return Listing(lines: ["there are no messages here"], choice: .place) }
    return Listing(
      lines: Self.lines(DayTable.text(of: days)), choice: .place,
      names: days.map { $0.day ?? $0.month ?? "" }, showsEnd: true)
  }

  /// Marks a message and returns what to say of it.
  func mark(_ id: Message.ID, as name: String) throws -> String {
    guard name.count <= 80, !name.contains(where: \.isNewline) else {
      throw UsageError("the name of a mark is a line of at most 80 characters")
    }
    try store.setMark(NamedMark(name: name, conversation: conversation.id, message: id))
    let shown = SafeText.oneLine(name)
    return "'\(shown) is here: /goto '\(shown)"
  }

  /// All marks to choose from: a line each with name, conversation and date.
  mutating func markListing() throws -> Listing {
    let marks = try store.marks()
    if marks.isEmpty { return Listing(lines: ["there are no marks: /mark NAME sets one"], choice: .mark) }
    let rows = try marks.map { mark in
      let civil = clock.civil(at: mark.message.time)
      return [
        "'" + SafeText.oneLine(mark.name),
        SafeText.oneLine(try store.conversation(mark.conversation)?.name ?? ""),
        DateText.dateAndTime(civil, precision: .minute),
      ]
    }
    return Listing(lines: Self.lines(TextTable.text(rows)), choice: .mark, names: marks.map(\.name))
  }

  /// Finds a mark and opens its conversation.
  ///
  /// - Returns: The message marked, and whether another conversation was opened.
  mutating func open(mark name: String) throws -> (message: Message.ID, isElsewhere: Bool) {
    let marks = try store.marks()
    guard let mark = marks.first(where: { $0.name == name }) else {
      let near = Nearest.name(to: name, among: marks.map(\.name))
      throw UsageError(
        "there is no mark '\(SafeText.oneLine(name).cut(columns: 40))'",
        remedy: near.map { "/goto '\(SafeText.oneLine($0))" } ?? "/marks", status: .nothingFound)
    }
    if mark.conversation == conversation.id { return (mark.message, false) }
    guard let found = try store.conversation(mark.conversation) else {
      throw UsageError("the conversation of that mark is gone", status: .nothingFound)
    }
    enter(found)
    return (mark.message, true)
  }
}
