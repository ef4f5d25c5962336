internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Everything, conversations, people and saved filters to open, narrowed by typing. It holds only the entries
/// in view, of any number of conversations.
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
  /// People and saved filters; after the conversations unless the typed text begins their names.
  private let others: [Entry]
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
      try context.store.peopleNames().map { .person($0) }
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

  /// Shows entries whose names contain the text; all for an empty line and for commands.
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
  /// - Complexity: O(bytes of all conversation names), and a look-up per visible conversation.
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
    let (first, last) = othersNamed(beside: named)
    let behindFirst = max(0, places.lowerBound - first.count)..<max(0, places.upperBound - first.count)
    let slice = try context.store.conversations(
      naming: typed, first: [named?.id].compactMap(\.self) + recent.filter { $0 != named?.id },
      places: behindFirst)
    let firstShown = Array(first.dropFirst(top).prefix(rows))
    let lastShown = last.dropFirst(max(0, top - first.count - slice.total))
      .prefix(rows - firstShown.count - slice.conversations.count)
    entries = firstShown + slice.conversations.map { .conversation($0.name) } + lastShown
    lines =
      try lines(of: firstShown, columns, context)
      + context.overview(of: slice.conversations, columns: columns)
      + lines(of: Array(lastShown), columns, context)
    total = first.count + slice.total + last.count
    readFor = Extent(typed: typed, places: places, columns: columns)
  }

  /// Returns the matches other than conversations: those before the conversations, and those after them.
  /// People and filters come first if the typed text begins their names and is no conversation's name.
  private func othersNamed(beside conversation: Conversation?) -> (first: [Entry], last: [Entry]) {
    let wanted = typed.lowercased()
    let everything = [Entry.everything].filter { $0.name.lowercased().hasPrefix(wanted) }
    guard !wanted.isEmpty else { return (everything, others) }
    let named = others.map { (entry: $0, name: $0.name.lowercased()) }.filter { $0.name.contains(wanted) }
    let isMeant = { (name: String) in conversation == nil && name.hasPrefix(wanted) }
    // An exact match precedes longer names.
    let first = named.filter { isMeant($0.name) }.sorted { $0.name == wanted && $1.name != wanted }
    return (everything + first.map(\.entry), named.filter { !isMeant($0.name) }.map(\.entry))
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

  func narrow(by line: String, in session: inout Session<ScreenReader>) -> Effects? {
    session.reader.cover.switcher?.narrow(by: line)
    return nil
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
    let none = Row(" no name has '\(SafeText.oneLine(typed).cut(columns: 24))' in it", .dim)
    return (isNone ? [none] : rows).filled(to: screen.view.height)
  }

  func status(on screen: ScreenReader) -> Row? {
    let place = total == 0 ? "" : " \(NumberText.grouped(chosen + 1)) of \(NumberText.grouped(total))"
    return screen.status(
      place.cut(columns: screen.columns), screen.isView ? "↑↓ choose" : "type a part of a name · ↑↓",
      "Enter opens")
  }
}
