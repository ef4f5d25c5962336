internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// The days or months of the conversation, newest first: a line each with date and number of messages.
  func sectionLines(by span: HistorySection.Span) throws(StoreError) -> [String] {
    let sections = try store.sections(of: conversation.id, by: span, zone: zone)
    if sections.isEmpty { return ["there are no messages here"] }
    return Self.lines(DayTable.text(of: sections.map { DayAnswer($0, span) }))
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

  /// All marks: a line each with name, conversation and date.
  mutating func markLines() throws -> [String] {
    let marks = try store.marks()
    if marks.isEmpty { return ["there are no marks: /mark NAME sets one"] }
    let rows = try marks.map { mark in
      let civil = clock.civil(at: mark.message.time)
      return [
        "'" + SafeText.oneLine(mark.name),
        SafeText.oneLine(try store.conversation(mark.conversation)?.name ?? ""),
        DateText.dateAndTime(civil, precision: .minute),
      ]
    }
    return Self.lines(TextTable.text(rows))
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
