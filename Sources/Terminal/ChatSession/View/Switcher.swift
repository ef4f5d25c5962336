internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Everything, conversations, people and saved filters to open, narrowed and ranked by typing. It holds only the
/// entries in view, of any number of conversations.
package struct Switcher: ListCover {
  enum Entry: Hashable {
    case everything
    case conversation(String)
    case person(String)
    case filter(String)

    var name: String {
      switch self {
      case .everything: Timeline.everythingName
      case .conversation(let name), .person(let name), .filter(let name): name
      }
    }

    fileprivate var isOther: Bool {
      switch self {
      case .everything, .person, .filter: true
      case .conversation: false
      }
    }

    /// Shown beside the name; empty for conversations.
    fileprivate var remark: String {
      switch self {
      case .everything: "all messages"
      case .conversation: ""
      case .person: "a person"
      case .filter: "a saved filter"
      }
    }

    var command: ReplCommand {
      switch self {
      case .everything: .open(.everything)
      case .conversation(let name): .open(.conversation(name))
      case .person(let name): .open(.person(name))
      case .filter(let name): .filter(name)
      }
    }
  }

  /// The conversations with the newest messages, which come first.
  private let recent: [Conversation.ID]
  /// Everything, people and saved filters. Without a typed text the first precedes the conversations.
  private let others: [Entry]
  /// The conversations with something unread, if they are to come first.
  private var unread: [Conversation.ID]?
  private var typed = ""
  /// Indices among all matches.
  private var chosen = 0
  private var top = 0
  /// The number of matches.
  private var total = 0
  private var entries: [Entry] = []
  private var lines: [String] = []
  /// `nil` until looked up.
  private var news: TimelineNews?
  /// What ``lines`` were read for; `nil` if they must be read again.
  private var readFor: Extent?

  private struct Extent: Hashable {
    var typed: String
    var places: Range<Int>
    var columns: Int
  }

  init(_ context: ReplContext) throws(StoreError) {
    recent = try context.store.recentConversations()
    others =
      try [.everything] + context.store.peopleNames().map { .person($0) }
      + context.store.savedFilters().map { .filter($0.name) }
    // The entry after Everything that is not open: Enter alternates between two conversations.
    chosen = recent.first != nil && recent.first == context.openConversation?.id ? 2 : 1
  }

  /// `nil` without matches.
  var chosenEntry: Entry? {
    let place = chosen - top
    return entries.indices.contains(place) ? entries[place] : nil
  }

  /// The chosen entry's command; for another line than the typed one, that of the entry with this name.
  func command(choosing line: String) -> ReplCommand? {
    let words = String(line.trimming(while: \.isWhitespace))
    let entry = words == typed ? chosenEntry : entries.first { $0.name == words }
    // Opening an unknown name suggests the nearest one.
    return entry?.command ?? .open(.typed(words))
  }

  /// Shows conversations with something unread first, or no longer.
  private mutating func turnUnreadFirst(_ context: ReplContext) throws(StoreError) {
    unread = unread == nil ? try context.store.unreadConversations().map(\.id) : nil
    (chosen, top, readFor) = (typed.isEmpty ? 1 : 0, 0, nil)
  }

  /// Shows entries whose names have the letters of the text, the best first; all for an empty line and for commands.
  mutating func narrow(by line: String) {
    let words = line.hasPrefix("/") ? "" : String(line.trimming(while: \.isWhitespace))
    guard words != typed else { return }
    // Everything comes first, but is not the default choice.
    (typed, chosen, top) = (words, words.isEmpty ? 1 : 0, 0)
  }

  mutating func noticeChange() { readFor = nil }

  mutating func take(_ news: TimelineNews) { (self.news, readFor) = (news, nil) }
}

// MARK: Reading

extension Switcher {
  /// - Complexity: O(bytes of all names), and a look-up per visible conversation.
  mutating func settle(on screen: ScreenReader, in context: ReplContext) throws(StoreError) {
    let (rows, columns) = (screen.view.height, screen.columns)
    top = max(min(top, chosen), chosen - rows + 1)
    guard rows > 0, readFor != Extent(typed: typed, places: top..<top + rows, columns: columns) else {
      return
    }
    try read(rows: rows, columns: columns, in: context)
    guard chosen >= total, total > 0 else { return }
    // There are fewer entries than before: show the last ones.
    chosen = total - 1
    top = max(0, total - rows)
    try read(rows: rows, columns: columns, in: context)
  }

  private mutating func read(rows: Int, columns: Int, in context: ReplContext) throws(StoreError) {
    let places = top..<top + rows
    let named = try context.store.conversation(named: typed)
    let leading: ArraySlice<Entry> = typed.isEmpty ? others.prefix(1) : []
    let ranked = others.dropFirst(leading.count)
    let slice = try context.store.conversations(
      naming: typed, first: first(named?.id),
      others: ranked.map(\.name),
      places: max(0, top - leading.count)..<max(0, places.upperBound - leading.count))
    let leadingLines = lines(of: Array(leading.dropFirst(top)), columns, context)
    var overviews = try context.overview(of: slice.conversations, columns: columns)[...]
    let shown = slice.choices.map { choice -> Entry in
      switch choice {
      case .conversation(let conversation): .conversation(conversation.name)
      case .other(let place): ranked[ranked.startIndex + place]
      }
    }
    var otherLines = lines(of: shown.filter(\.isOther), columns, context)[...]
    entries = leading.dropFirst(top) + shown
    lines = leadingLines + shown.compactMap { $0.isOther ? otherLines.popFirst() : overviews.popFirst() }
    total = leading.count + slice.total
    readFor = Extent(typed: typed, places: places, columns: columns)
  }

  /// The conversations that precede others of the same rank.
  private func first(_ named: Conversation.ID?) -> [Conversation.ID] {
    var known: Set<Conversation.ID> = []
    return ([named].compactMap(\.self) + (unread ?? []) + recent).filter { known.insert($0).inserted }
  }

  private func lines(of entries: [Entry], _ columns: Int, _ context: ReplContext) -> [String] {
    var clock = WallClock(zone: context.zone)
    let cells = entries.map { entry in
      let new = news(of: entry)
      let newest = new?.newestTime.map { DateText.dateAndTime(clock.civil(at: $0), precision: .minute) }
      let unread = new.map { $0.unread > 0 ? "\(NumberText.grouped($0.unread)) unread" : "" }
      return [
        SafeText.oneLine(entry.name).cut(columns: max(8, columns / 4)), entry.remark, newest ?? "",
        unread ?? "",
      ]
    }
    return ReplContext.lines(
      TextTable.text(cells, alignsRight: [3], layout: TableLayout(columns: columns)))
  }

  private func news(of entry: Entry) -> TimelineNews.Entry? {
    switch entry {
    case .everything: news?.everything
    case .person(let name): news?.people[name]
    case .conversation, .filter: nil
    }
  }
}

// MARK: Covering the messages

extension Switcher {
  var key: ReplKey? { .switcher }
  var isModal: Bool { false }
  var lineUse: Completion.Line { .name(.conversations) }

  mutating func move(_ motion: Motion, on screen: ScreenReader, in context: ReplContext) -> Bool {
    guard let count = motion.rows(page: screen.view.height) else { return false }
    chosen = min(max(0, chosen.adding(count)), max(0, total - 1))
    return true
  }

  mutating func point(to row: Int, on screen: ScreenReader) -> Bool {
    guard entries.indices.contains(row) else { return false }
    chosen = top + row
    return true
  }

  func narrow(by line: String, in session: inout Session<ScreenReader>) -> Effects? {
    session.reader.cover.switcher?.narrow(by: line)
    return nil
  }

  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard key == .nextUnread else { return nil }
    var turned = self
    try turned.turnUnreadFirst(session.context)
    session.reader.cover.list = turned
    return Effects()
  }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? {
    try session.leaveCover(by: chosenEntry?.command)
  }

  func rows(on screen: ScreenReader) -> [Row] {
    let rows = lines.prefix(screen.view.height).enumerated().map { index, line in
      let row = Row(MessageRenderer.expandingTabs(line).cut(columns: screen.columns))
      return index == chosen - top ? row.chosen(columns: screen.columns) : row
    }
    let isNone = rows.isEmpty && !typed.isEmpty
    let none = Row(" no name has the letters '\(SafeText.oneLine(typed).cut(columns: 24))'", .dim)
    return (isNone ? [none] : rows).filled(to: screen.view.height)
  }

  func status(on screen: ScreenReader) -> Row? {
    let place = total == 0 ? "" : " \(NumberText.grouped(chosen + 1)) of \(NumberText.grouped(total))"
    let unread =
      switch self.unread?.count {
      case nil: ""
      case 0: " · nothing is unread"
      case _: " · unread first"
      }
    return screen.status(
      (place + unread).cut(columns: screen.columns),
      (self.unread == nil ? "Alt-a unread first · " : "")
        + (screen.isView ? "↑↓ choose" : "type letters of a name · ↑↓"),
      "Enter opens")
  }
}
