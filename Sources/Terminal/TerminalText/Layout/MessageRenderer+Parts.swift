internal import Foundation
internal import MessageMarkup
package import MessageModel

extension MessageRenderer {
  func quotation(of quoted: Message?, _ dialect: MarkupDialect) -> Row {
    guard let quoted else { return Row("↪ an earlier message".cut(columns: settings.textColumns), .dim) }
    let name = quoted.sender.map { SafeText.oneLine($0.name) + ": " } ?? ""
    if let deletion = quoted.deletion {
      return Row("↪ \(name)\(SafeText.oneLine(deletion.line))".cut(columns: settings.textColumns), .dim)
    }
    // Only what may fit is made safe: a column takes at least a byte.
    let shown = Markup(quoted.text, as: dialect, isCut: quoted.isTextCut).shown(quoted.text)
    let text = SafeText.oneLine(IRCFormatting.stripped(shown).prefix(settings.textColumns + 1))
    return Row("↪ \(name)\(text)".cut(columns: settings.textColumns), .dim)
  }

  func originRow(_ heading: String) -> Row {
    Row(SafeText.oneLine(heading).cut(columns: settings.textColumns), .dim)
  }

  func dialect(of message: Message) -> MarkupDialect { message.kind.mayBeMarked ? shownDialect : .none }

  func markedLines(of message: Message, _ dialect: MarkupDialect, _ style: Style) -> MarkedLines {
    MarkedLines(of: message.text, as: dialect, isCut: message.isTextCut, style: style, hits: settings.hits)
  }

  func attachmentRow(_ attachment: Message.Attachment) -> Row {
    var facts = [SafeText.oneLine(attachment.name)]
    if let type = attachment.mediaType { facts.append(SafeText.oneLine(type)) }
    if let count = attachment.byteCount { facts.append(NumberText.bytes(count)) }
    return Row("[file] \(facts.joined(separator: " · "))".cut(columns: settings.textColumns), .dim)
  }

  func reactionRow(_ reactions: [Message.Reaction], _ dialect: MarkupDialect) -> Row {
    let texts = reactions.prefix(settings.textColumns).map { reaction in
      let emoji = SafeText.oneLine(dialect.isParsed ? EmojiTable.shown(reaction.emoji) : reaction.emoji)
      return reaction.senders.isEmpty
        ? emoji : "\(emoji) \(NumberText.grouped(reaction.senders.count))"
    }
    return Row(texts.joined(separator: "  ").cut(columns: settings.textColumns), .dim)
  }

  /// The row below the first message of a thread, with the numbers of replies and of unread ones.
  package func answerRow(_ answers: AnswerCount) -> Row {
    let more = answers.isMore ? "+" : ""
    let noun = answers.total == 1 && !answers.isMore ? "reply" : "replies"
    var row = Row("↳ \(NumberText.grouped(answers.total))\(more) \(noun)", .dim)
    if answers.unread > 0 {
      let isMore = answers.isMore && answers.unread == answers.total
      row.append(" · ", .dim)
      row.append("\(NumberText.grouped(answers.unread))\(isMore ? "+" : "") new", Style(color: .notice))
    }
    return row.cut(to: settings.textColumns)
  }

  package func daySeparator(_ daysSince1970: Int) -> Row {
    let civil = CivilTime(daysSince1970: daysSince1970)
    let name = DateText.weekdays[civil.weekday]
    return rule("\(name), \(DateText.date(civil))", .dim)
  }

  package func unreadSeparator() -> Row { rule("new", Style(color: .notice)) }

  package func conversationSeparator(_ name: String) -> Row { rule(SafeText.oneLine(name), .heading) }

  private func rule(_ title: String, _ style: Style) -> Row {
    let start = "── \(title) ".cut(columns: settings.columns)
    let rest = max(0, settings.columns - DisplayWidth.columns(of: start))
    return Row(start + String(repeating: "─", count: rest), style)
  }
}

/// The result of a tool call, shown beside the call.
package struct StepResult: Hashable, Sendable {
  let byteCount: Int
  let hasFailed: Bool

  /// `nil` if the message is no call, or no result follows it.
  package init?(of message: Message, followedBy next: Message?) {
    guard message.kind == .tool, let next, next.kind == .result else { return nil }
    byteCount = next.textByteCount
    hasFailed = FailureMark.begins(next.text)
  }

  var text: String { hasFailed ? "failed, \(NumberText.bytes(byteCount))" : NumberText.bytes(byteCount) }
}

/// Steps of assistants, a row each:
///
///     ▸ Bash swift build · 3.2 KB
///     [result] Compiling … · 40 lines
extension MessageRenderer {
  /// `nil` for messages that are no steps, and for a step with a match that the row would hide.
  func foldedStep(_ message: Message, _ result: StepResult?) -> Row? {
    guard message.kind.isStep, settings.foldsSteps else { return nil }
    let row = stepRow(of: message, result)
    guard row.isFold, !settings.hits.isEmpty else { return row }
    let shown = row.spans.map(\.text).joined()
    return settings.hits.contains { Self.has($0, message.text) && !Self.has($0, shown) } ? nil : row
  }

  private static func has(_ word: String, _ text: String) -> Bool {
    !word.isEmpty && text.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// Kind, beginning and length of the step or, for a call, of its result.
  private func stepRow(of message: Message, _ result: StepResult?) -> Row {
    let opening = stepOpening(of: message)
    // Only what may fit is made safe: a column takes at least a byte.
    let start = message.text.prefix(settings.textColumns + 1)
    var lines = SafeText.lines(of: start).map { Self.expandingTabs($0).drop { $0 == " " } }
    let lineCount = lines.count
    if message.kind == .tool, lineCount > 1 { lines[1] = Self.withoutName(lines[1]) }
    let line = opening.text + lines.filter { !$0.isEmpty }.joined(separator: " ")
    let runs = TextRuns(
      of: line, opening: opening, style: .dim, hits: settings.hits, hitsAreWords: settings.hitsAreWords)
    let whole = runs.row(line.startIndex..<line.endIndex)
    let isAll = !message.isTextCut && start.endIndex == message.text.endIndex && lineCount == 1
    let isFitting = isAll && whole.columns <= settings.textColumns
    guard result != nil || !isFitting else { return whole }
    let note = " · \(result?.text ?? extent(of: message))"
    var row = whole.cut(to: max(opening.text.count, settings.textColumns - note.count))
    row.append(note, .dim)
    row = row.cut(to: settings.textColumns)
    row.isFold = !isFitting
    return row
  }

  private func stepOpening(of message: Message) -> Span {
    let opening = opening(of: message)
    guard message.kind == .tool else { return opening }
    return Span(opening.text.replacing("[\(message.kind.name)] ", with: "▸ "), opening.style)
  }

  /// Removes the argument's name: `swift build` of `command: swift build`.
  private static func withoutName(_ line: Substring) -> Substring {
    guard let end = line.firstRange(of: ": ") else { return line }
    let name = line[..<end.lowerBound]
    let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName ? line[end.upperBound...] : line
  }

  /// The length in lines, for a single line in characters, or in bytes if the text was cut when loaded.
  private func extent(of message: Message) -> String {
    if message.isTextCut { return NumberText.bytes(message.textByteCount) }
    let lineCount = message.text.utf8.split(separator: UInt8(ascii: "\n")).count
    return lineCount > 1
      ? "\(NumberText.grouped(lineCount)) lines" : NumberText.counted(message.text.count, "character")
  }
}

/// Lines that show a change to a text: a diff, a patch, or a call with an old and a new text,
/// which is laid out as a diff.
package struct ChangedLines {
  package let lines: [String]
  private let signs: [Sign]

  private enum Sign {
    case none, added, removed, place
  }

  /// `nil` if the lines show no change.
  ///
  /// - Parameter isDiff: Whether they are known to be a diff.
  package init?(_ lines: [String], isCall: Bool, isDiff: Bool = false) {
    if isCall, let edit = Self.edit(lines) {
      (self.lines, signs) = (edit.map(\.text), edit.map(\.sign))
    } else if isDiff || Self.isDiff(lines) {
      (self.lines, signs) = (lines, lines.map(Self.sign))
    } else {
      return nil
    }
  }

  /// `nil` for unchanged lines.
  package func style(ofLine index: Int) -> Style? {
    switch signs[index] {
    case .none: nil
    case .added: Style(color: .added)
    case .removed: Style(color: .removed)
    case .place: Style(color: .place)
    }
  }

  private static let marks = ["@@ ", "diff --git ", "*** Begin Patch", "*** Update File: ", "*** Add File: "]

  private static func isDiff(_ lines: [String]) -> Bool {
    for (index, line) in lines.enumerated() {
      if marks.contains(where: line.hasPrefix) { return true }
      if line.hasPrefix("--- "), index + 1 < lines.count, lines[index + 1].hasPrefix("+++ ") { return true }
    }
    return false
  }

  private static func sign(of line: String) -> Sign {
    if line.hasPrefix("@@") { return .place }
    if line.hasPrefix("+++") || line.hasPrefix("---") { return .none }
    return line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .none
  }

  private static let oldKeys = ["old_string: ", "old_str: "]
  private static let newKeys = ["new_string: ", "new_str: "]
  private static let laterKeys = ["replace_all: ", "expected_replacements: ", "instruction: "]

  /// Returns a call that replaces text as a diff; `nil` for other calls.
  private static func edit(_ lines: [String]) -> [(text: String, sign: Sign)]? {
    var sign = Sign.none
    var hasOld = false
    let signed = lines.map { line -> (text: String, sign: Sign) in
      if !hasOld, let text = value(of: oldKeys, in: line) {
        (hasOld, sign) = (true, .removed)
        return ("- \(text)", sign)
      }
      if sign == .removed, let text = value(of: newKeys, in: line) {
        sign = .added
        return ("+ \(text)", sign)
      }
      if sign == .added, laterKeys.contains(where: line.hasPrefix) { sign = .none }
      switch sign {
      case .none, .place: return (line, .none)
      case .removed: return ("- \(line)", sign)
      case .added: return ("+ \(line)", sign)
      }
    }
    return hasOld ? signed : nil
  }

  private static func value(of keys: [String], in line: String) -> Substring? {
    keys.first(where: line.hasPrefix).map { line.dropFirst($0.count) }
  }
}
