internal import Foundation
internal import MessageMarkup
package import MessageModel

/// Lays out messages as rows:
///
///     a  12:34        alice  ↪ bob: shall we?
///                            Yes. The text hangs from its column however
///                            long it is. (edited)
///                            👍 2  🎉 1
package struct MessageRenderer: Sendable {
  package let settings: LayoutSettings
  private var clock: WallClock
  private var names = ShownNames()

  package init(_ settings: LayoutSettings) {
    self.settings = settings
    clock = WallClock(zone: settings.zone)
  }

  /// Returns the rows of a message; their first ``LayoutSettings/marginColumns`` are blank.
  ///
  /// - Parameters:
  ///   - quoted: The message that it replies to, if loaded.
  ///   - answers: The replies to it, if it began a thread.
  ///   - result: The result of a tool call.
  ///   - names: Names that replace those in the message.
  /// - Complexity: O(bytes shown): folded text is counted, not laid out.
  package mutating func rows(
    of message: Message, quoting quoted: Message? = nil, answers: AnswerCount? = nil,
    result: StepResult? = nil, under names: ShownNames = ShownNames()
  ) -> [Row] {
    self.names = names
    var message = message
    if let person = names.person { message.sender?.name = person }
    var body: [Row] = []
    if message.replyTo != nil { body.append(quotation(of: quoted, shownDialect)) }
    if let heading = message.forward?.heading { body.append(originRow(heading)) }
    if let deletion = message.deletion {
      body.append(deletionRow(of: message, deletion))
    } else {
      body += foldedStep(message, result).map { [$0] } ?? textRows(of: message)
    }
    if message.starredAt != nil { mark(&body, "★", Style(color: .notice)) }
    for attachment in message.attachments {
      body.append(attachmentRow(attachment))
      body += settings.pictures?.rows(for: attachment, .thumbnail) ?? []
    }
    if !message.reactions.isEmpty { body.append(reactionRow(message.reactions, shownDialect)) }
    if let answers { body.append(answerRow(answers)) }
    let timeStyle = mentionsReader(message, body, quoting: quoted) ? Style.own : .dim
    return body.enumerated().map { index, content in
      var row = index == 0 ? heading(of: message, timeStyle) : Row()
      row.pad(to: settings.textColumn)
      for span in content.spans { row.append(span.text, span.style, link: span.link) }
      row.picture = content.picture
      row.picture?.column = settings.textColumn
      row.isFold = content.isFold
      return row
    }
  }

  var shownDialect: MarkupDialect { settings.showsMarkup ? names.dialect : .none }

  /// The civil day of a message in the zone; the stored day if only that is known.
  package mutating func day(of message: Message) -> Int { day(at: message.time, message.precision) }

  mutating func start(ofDay daysSince1970: Int) -> Timestamp {
    clock.moment(showing: CivilTime(daysSince1970: daysSince1970))
  }

  package mutating func day(at time: Timestamp, _ precision: TimePrecision) -> Int {
    clock.civil(at: time, knownTo: precision).daysSince1970
  }

  private mutating func heading(of message: Message, _ timeStyle: Style) -> Row {
    var row = Row(String(repeating: " ", count: settings.marginColumns))
    row.append(timeText(of: message), timeStyle)
    row.append(" ")
    if settings.conversationColumns > 0 {
      let name = SafeText.oneLine(names.conversation ?? "").cut(columns: settings.conversationColumns)
      row.append(name, .conversation(name: names.conversation ?? ""))
      row.pad(to: row.columns + settings.conversationColumns + 1 - DisplayWidth.columns(of: name))
    }
    guard settings.senderColumns > 0 else { return row }
    let mark = prefix(of: message)
    let name = mark.text.cut(columns: settings.senderColumns)
    row.pad(to: row.columns + settings.senderColumns - DisplayWidth.columns(of: name))
    row.append(name, mark.style)
    return row
  }

  private mutating func deletionRow(of message: Message, _ deletion: Message.Deletion) -> Row {
    let opening = opening(of: message)
    var row = Row(opening.text, opening.style)
    let day = DateText.date(clock.civil(at: deletion.time))
    row.append("\(SafeText.oneLine(deletion.line)) on \(day)", .dim)
    return row.cut(to: settings.textColumns)
  }

  private mutating func timeText(of message: Message) -> String {
    guard message.precision != .day else { return String(repeating: " ", count: settings.clock.columns) }
    let civil = clock.civil(at: message.time)
    let minute = NumberText.twoDigits(civil.minute)
    switch settings.clock {
    case .hours24: return "\(NumberText.twoDigits(civil.hour)):\(minute)"
    case .hours12:
      let hour = "\((civil.hour + 11) % 12 + 1)"
      return (hour.count < 2 ? " " : "") + "\(hour):\(minute)\(civil.hour < 12 ? "a" : "p")"
    case .seconds:
      // An unknown second stays blank.
      let second = message.precision == .minute ? "   " : ":" + NumberText.twoDigits(civil.second)
      return "\(NumberText.twoDigits(civil.hour)):\(minute)\(second)"
    }
  }

  private func prefix(of message: Message) -> Span {
    let name = message.sender.map { SafeText.oneLine($0.name) } ?? ""
    switch message.kind {
    case .text: return Span(name, nameStyle(message, name))
    case .notice: return Span("-\(name)-", nameStyle(message, name))
    case .action: return Span("*", .sender(name))
    case .unknown: return Span("?", .dim)
    case .thinking, .tool, .result: return Span(name, .dim)
    case .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: return Span("--", .dim)
    }
  }

  private func textRows(of message: Message) -> [Row] {
    let ownStyle = style(of: message)
    let dialect = dialect(of: message)
    let marked = dialect.isParsed && !message.kind.isStep ? markedLines(of: message, dialect, ownStyle) : nil
    var lines =
      marked?.lines ?? SafeText.lines(of: IRCFormatting.stripped(message.text)).map(Self.expandingTabs)
    // Code blocks have colours of their own.
    let isBare = marked?.runs.allSatisfy(\.isEmpty) ?? true
    let changes = isBare ? ChangedLines(lines, isCall: message.kind == .tool) : nil
    if let changes { lines = changes.lines }
    let opening = opening(of: message)
    lines[0] = opening.text + lines[0]
    var rows: [Row] = []
    for (index, line) in lines.enumerated() {
      let room = settings.foldRows - rows.count
      let style = changes?.style(ofLine: index) ?? ownStyle
      let ranges = LineWrapper.rows(of: line, columns: settings.textColumns, limit: room + 1)
      let runs = TextRuns(
        of: line, opening: index == 0 ? opening : nil, style: style, hits: settings.hits,
        hitsAreWords: settings.hitsAreWords, ownNames: message.kind.isEvent ? [] : settings.ownNames,
        looks: marked?.runs[index])
      rows += ranges.prefix(room).map(runs.row)
      let shown = ranges.prefix(room).last?.upperBound ?? line.startIndex
      if ranges.count > room || (rows.count == settings.foldRows && index + 1 < lines.count) {
        return folded(rows, [line[shown...]] + lines[(index + 1)...].map { $0[...] }, of: message)
      }
    }
    if message.isTextCut { return folded(rows, [], of: message) }
    if message.isEdited { mark(&rows, "(edited)") }
    return rows
  }

  /// Returns the beginning of the text: names without a column, or as a part of the sentence.
  func opening(of message: Message) -> Span {
    let opening = ownOpening(of: message)
    guard settings.showsConversations, settings.conversationColumns == 0, let name = names.conversation else {
      return opening
    }
    let shown = SafeText.oneLine(name).cut(columns: max(2, settings.textColumns / 3))
    return Span("[\(shown)] \(opening.text)", opening.style)
  }

  private func ownOpening(of message: Message) -> Span {
    let name = message.sender.map { SafeText.oneLine($0.name) } ?? ""
    if message.kind.isStep {
      let isNamed = settings.senderColumns == 0 && !name.isEmpty
      return Span("\(isNamed ? "\(name): " : "")[\(message.kind.name)] ", .dim)
    }
    let isSentence = message.kind == .action || message.kind.isEvent
    guard settings.senderColumns == 0 else {
      return isSentence && !name.isEmpty ? Span(name + " ", nameStyle(message, name)) : Span("")
    }
    switch message.kind {
    case .action: return Span("* \(name) ", nameStyle(message, name))
    case .unknown: return Span("")
    case _ where message.kind.isEvent: return Span(name.isEmpty ? "-- " : "-- \(name) ", .dim)
    default: return Span(name.isEmpty ? "" : name + ": ", nameStyle(message, name))
    }
  }

  private func style(of message: Message) -> Style {
    message.kind.isEvent || message.kind.isStep ? .dim : .plain
  }

  private func isOwn(_ message: Message) -> Bool {
    names.isOwn || message.sender.map { settings.ownNames.contains($0.name) } ?? false
  }

  /// Whether the shown text of another's message has a name of the reader, or replies to the reader.
  private func mentionsReader(_ message: Message, _ body: [Row], quoting quoted: Message?) -> Bool {
    guard !message.kind.isEvent, !message.kind.isStep, !isOwn(message) else { return false }
    if let name = quoted?.sender?.name, settings.ownNames.contains(name) { return true }
    return body.contains { $0.spans.contains { $0.style == .own } }
  }

  private func nameStyle(_ message: Message, _ name: String) -> Style {
    if message.kind.isEvent { return .dim }
    return isOwn(message) ? .own : .sender(name)
  }

  /// Counts what is folded: lines, characters of a single line, or bytes of a text that was cut when loaded.
  private func folded(_ rows: [Row], _ rest: [Substring], of message: Message) -> [Row] {
    var rows = rows
    // The end of a shown line does not count.
    let lineCount = rest.count { !$0.isEmpty }
    var note = "… "
    if message.isTextCut {
      let held = rest.reduce(0) { $0 + $1.utf8.count }
      note += "\(NumberText.bytes(max(1, message.textByteCount - message.text.utf8.count + held))) more"
    } else if lineCount > 1 {
      note += "\(NumberText.grouped(lineCount)) more lines"
    } else {
      note += NumberText.counted(rest.reduce(0) { $0 + $1.count }, "more character")
    }
    if message.isEdited { note += " (edited)" }
    var last = Row(note.cut(columns: settings.textColumns), .dim)
    last.isFold = true
    rows.append(last)
    return rows
  }

  private func mark(_ rows: inout [Row], _ note: String, _ style: Style = .dim) {
    guard var last = rows.last, last.columns + 1 + note.count <= settings.textColumns else {
      rows.append(Row(note.cut(columns: settings.textColumns), style))
      return
    }
    last.append((last.spans.isEmpty ? "" : " ") + note, style)
    rows[rows.count - 1] = last
  }

  /// Expands tabs to multiples of eight columns.
  package static func expandingTabs(_ line: String) -> String {
    guard line.utf8.contains(0x09) else { return line }
    return line.split(separator: "\t", omittingEmptySubsequences: false).dropFirst().reduce(
      into: String(line.prefix { $0 != "\t" })
    ) { expanded, part in
      expanded += String(repeating: " ", count: 8 - DisplayWidth.columns(of: expanded) % 8) + part
    }
  }
}
