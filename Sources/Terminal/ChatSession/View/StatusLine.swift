internal import MessageModel
internal import TerminalText

/// The status line:
///
///      general  4,812,333 of 10,000,000 · 2024-05-01 · 48 %              ↓ 12 new
enum StatusLine {
  /// Omits what does not fit, from the right.
  static func row(for session: inout Session<ScreenReader>) -> Row {
    let columns = session.reader.columns
    let news = news(session)
    let room = columns - (news.isEmpty ? 0 : DisplayWidth.columns(of: news) + 1)
    var left = " " + SafeText.oneLine(session.context.timeline.name).cut(columns: max(8, columns / 3))
    if let filter = session.context.filter { left += " [\(filter.words.cut(columns: max(6, columns / 3)))]" }
    for part in position(&session) {
      let longer = left + part
      // A later, shorter part may fit where this one does not.
      guard DisplayWidth.columns(of: longer) <= room else { continue }
      left = longer
    }
    let newsColumns = DisplayWidth.columns(of: news)
    let touches = newsColumns > 0 && DisplayWidth.columns(of: left) + newsColumns == columns
    var row = Row(left.cut(columns: touches ? room : columns), .status)
    if newsColumns > 0, row.columns + newsColumns <= columns {
      row.pad(to: columns - newsColumns, .status)
      row.append(news, .status)
    }
    row.pad(to: columns, .status)
    return row
  }

  private static func position(_ session: inout Session<ScreenReader>) -> [String] {
    let header = session.reader.view.window.header
    guard let current = session.reader.view.current else {
      if session.reader.view.isLookingOn { return [] }
      if session.context.isDeleted { return ["  was deleted", " · /open NAME opens another one"] }
      return [session.context.filter == nil ? "  no messages yet" : "  no such messages"] + shown(0, session)
    }
    var parts: [String] = []
    let about = header.isExact ? "" : "~"
    if let number = session.reader.view.number, let total = header.total {
      parts.append("  \(about)\(NumberText.grouped(number)) of \(about)\(NumberText.grouped(total))")
    }
    let day = CivilTime(daysSince1970: session.reader.view.day(of: current))
    parts.append("\(parts.isEmpty ? "  " : " · ")\(DateText.date(day))")
    if let total = header.total { parts += shown(total, session, about) }
    if let number = session.reader.view.number, let total = header.total {
      parts.append(" · \(percent(number, of: total)) %")
    }
    return parts
  }

  /// What a filter shows of all messages.
  private static func shown(_ count: Int, _ session: Session<ScreenReader>, _ about: String = "") -> [String]
  {
    guard let whole = session.reader.wholeCount else { return [] }
    return [" · \(about)\(NumberText.grouped(count)) of \(NumberText.grouped(whole)) shown"]
  }

  /// 0 at the oldest message, 100 only at the newest.
  private static func percent(_ number: Int, of total: Int) -> Int {
    total > 1 ? (number - 1) * 100 / (total - 1) : 100
  }

  private static func news(_ session: Session<ScreenReader>) -> String {
    if let listing = session.reader.cover.listing {
      let back = session.reader.columns < 60 ? "q" : "q or Esc"
      let position = session.reader.cover[ListingCover.self]?.position(height: session.reader.view.height)
      let hint =
        session.reader.columns < 60 ? nil : session.reader.isView ? position : listing.choice.hint ?? position
      return [hint, "\(back): back to the messages "].compactMap { $0 }.joined(separator: " · ")
    }
    let looking = session.reader.view.isLookingOn ? "looking … Ctrl-C stops" : nil
    let parts = [looking, session.transfer, hits(session), unread(session), arrivals(session)].compactMap {
      $0
    }
    return parts.isEmpty ? "" : parts.joined(separator: " · ") + " "
  }

  private static func hits(_ session: Session<ScreenReader>) -> String? {
    guard let search = session.search, search.place != nil || session.typing != nil else { return nil }
    let count = count(of: search)
    if session.reader.columns < 40 { return count }
    let query = search.query.cut(columns: max(4, session.reader.columns / 4))
    let isBeginning = search.query.hasSuffix("*") && session.reader.columns >= 100
    return isBeginning ? "\(query) · hit \(count)" : "'\(query)' \(count)"
  }

  /// `3 of 9,852`, the newest being the first; with `~` while counting.
  private static func count(of search: HitSearch) -> String {
    guard let count = search.count else {
      return search.estimate.map { "~\(NumberText.counted($0, "hit"))" } ?? "… hits"
    }
    guard let number = search.ordinal, count > 0 else { return NumberText.counted(count, "hit") }
    return "\(NumberText.grouped(number)) of \(NumberText.grouped(count))"
  }

  private static func unread(_ session: Session<ScreenReader>) -> String? {
    guard hasUnreadAbove(session) else { return nil }
    return session.reader.columns < 60 ? "↑ unread" : "↑ unread: Alt-u"
  }

  private static func hasUnreadAbove(_ session: Session<ScreenReader>) -> Bool {
    guard session.context.filter == nil, let first = session.reader.view.visible.first else { return false }
    if let conversation = session.context.openConversation {
      return conversation.readUpTo.map { $0 < first } ?? false
    }
    return session.reader.unreadLook?.found.map { $0 < first } ?? false
  }

  private static func arrivals(_ session: Session<ScreenReader>) -> String? {
    let header = session.reader.view.window.header
    if let since = header.sinceFrozen {
      return "frozen: +\(since.inserted) −\(since.deleted) ~\(since.changed)"
    }
    guard !session.reader.view.isAtBottom, let arrived = header.arrived, arrived > 0 else { return nil }
    return "↓ \(NumberText.grouped(arrived)) new"
  }
}
