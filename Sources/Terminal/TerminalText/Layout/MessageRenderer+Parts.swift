internal import MessageMarkup
package import MessageModel

extension MessageRenderer {
  func quotation(of quoted: Message?, _ dialect: MarkupDialect) -> Row {
    guard let quoted else { return Row("↪ an earlier message".cut(columns: settings.textColumns), .dim) }
    let name = quoted.sender.map { SafeText.oneLine($0.name) + ": " } ?? ""
    // Only what may fit is made safe: a column takes at least a byte.
    let shown = Markup(quoted.text, as: dialect, isCut: quoted.isTextCut).shown(quoted.text)
    let text = SafeText.oneLine(IRCFormatting.stripped(shown).prefix(settings.textColumns + 1))
    return Row("↪ \(name)\(text)".cut(columns: settings.textColumns), .dim)
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
