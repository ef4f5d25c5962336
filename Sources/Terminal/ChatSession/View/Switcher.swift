internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Everything, conversations, people and saved filters to go to, narrowed by what is typed. Of any number of conversations, it
/// holds what a screen shows.
package struct Switcher: Sendable {
  /// A thing to go to.
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

    /// The words beside the name of an entry that is not a conversation.
    fileprivate var remark: String {
      switch self {
      case .everything: "all messages"
      case .conversation: ""
      case .person: "a person"
      case .filter: "a saved filter"
      }
    }

    /// The command that goes there.
    var command: ReplCommand {
      switch self {
      case .everything: .open(.everything)
      case .conversation(let name): .open(.conversation(name))
      case .person(let name): .open(.person(name))
      case .filter(let name): .filter(name)
      }
    }
  }

  /// The conversations that were written in last, which come first.
  private let recent: [Conversation.ID]
  /// People and saved filters, which come behind the conversations unless what was typed begins their names.
  private let others: [Entry]
  private var typed = ""
  /// The place of the chosen entry among all that have what was typed in their names.
  private var chosen = 0
  /// The place of the first entry that is shown.
  private var top = 0
  /// The number of entries that have what was typed in their names.
  private var total = 0
  /// The entries that are shown, and a line of each.
  private var entries: [Entry] = []
  private var lines: [String] = []
  /// The news in everything and of each person; `nil` as long as they are not known.
  private var news: TimelineNews?
  /// Everything that ``lines`` were read for; `nil` if they are to be read again.
  private var readFor: Extent?

  private struct Extent: Hashable {
    var typed: String
    var places: Range<Int>
    var columns: Int
  }

  /// Creates a switcher of all there is.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(_ context: ReplContext) throws(StoreError) {
    recent = try context.store.recentConversations()
    others =
      try context.store.peopleNames().map { .person($0) }
      + context.store.savedFilters().map { .filter($0.name) }
    // The way to and fro between two, behind everything.
    chosen = recent.first != nil && recent.first == context.openConversation?.id ? 2 : 1
  }

  /// The chosen entry; `nil` if nothing has what was typed in its name.
  var chosenEntry: Entry? {
    let place = chosen - top
    return entries.indices.contains(place) ? entries[place] : nil
  }

  /// Returns what a line chooses: the chosen entry, or that of the name where another line was typed.
  func command(choosing line: String) -> ReplCommand {
    let words = String(line.trimming(while: \.isWhitespace))
    let entry = words == typed ? chosenEntry : entries.first { $0.name == words }
    // What is not there is said with the nearest name.
    return entry?.command ?? .open(.typed(words))
  }

  /// Chooses another entry, so many on.
  mutating func move(_ count: Int) { chosen = min(max(0, chosen.adding(count)), max(0, total - 1)) }

  /// Shows only what has this in its name; all for nothing, and for what begins with a slash.
  mutating func narrow(by line: String) {
    let words = line.hasPrefix("/") ? "" : String(line.trimming(while: \.isWhitespace))
    guard words != typed else { return }
    // Everything is seen first, and is not what is gone to by the way.
    (typed, chosen, top) = (words, words.isEmpty ? 1 : 0, 0)
  }

  /// Has what is shown be read again.
  mutating func noticeChange() { readFor = nil }

  /// Takes in what is new in everything and of each person.
  mutating func take(_ news: TimelineNews) { (self.news, readFor) = (news, nil) }
}

// MARK: Reading

extension Switcher {
  /// Reads the entries that a screen of this size shows, unless they are there.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read; what was shown stays.
  /// - Complexity: O(bytes of the names of all conversations), and a look at each conversation that is shown.
  mutating func settle(rows: Int, columns: Int, in context: ReplContext) throws(StoreError) {
    top = max(min(top, chosen), chosen - rows + 1)
    guard rows > 0, readFor != Extent(typed: typed, places: top..<top + rows, columns: columns) else {
      return
    }
    try read(rows: rows, columns: columns, in: context)
    guard chosen >= total, total > 0 else { return }
    // Fewer than there were: the last ones are seen.
    chosen = total - 1
    top = max(0, total - rows)
    try read(rows: rows, columns: columns, in: context)
  }

  private mutating func read(rows: Int, columns: Int, in context: ReplContext) throws(StoreError) {
    let places = top..<top + rows
    let named = try context.store.conversation(named: typed)
    let (first, last) = othersNamed(beside: named)
    // The places of conversations: those behind the entries that come first.
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

  /// Returns what is no conversation and has in its name what was typed: what comes before the conversations and what comes
  /// behind them. People and filters come before them if their names begin so and no conversation has it as its name.
  private func othersNamed(beside conversation: Conversation?) -> (first: [Entry], last: [Entry]) {
    let wanted = typed.lowercased()
    let everything = [Entry.everything].filter { $0.name.lowercased().hasPrefix(wanted) }
    guard !wanted.isEmpty else { return (everything, others) }
    let named = others.map { (entry: $0, name: $0.name.lowercased()) }.filter { $0.name.contains(wanted) }
    let isMeant = { (name: String) in conversation == nil && name.hasPrefix(wanted) }
    // A whole name is meant before those that it begins.
    let first = named.filter { isMeant($0.name) }.sorted { $0.name == wanted && $1.name != wanted }
    return (everything + first.map(\.entry), named.filter { !isMeant($0.name) }.map(\.entry))
  }

  /// Returns a line of each entry that is no conversation: its name, what it is, when it was written in last, and what is unread.
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

// MARK: Drawing

extension Switcher {
  /// Draws so many rows.
  func rows(height: Int, columns: Int) -> [Row] {
    var rows = lines.prefix(height).enumerated().map { index, line in
      let row = Row(MessageRenderer.expandingTabs(line).cut(columns: columns))
      guard index == chosen - top else { return row }
      var chosen = row.asChosen
      chosen.pad(to: columns, .selection)
      return chosen
    }
    if rows.isEmpty, !typed.isEmpty {
      rows = [Row(" no name has '\(SafeText.oneLine(typed).cut(columns: 24))' in it", .dim)]
    }
    return rows + Array(repeating: Row(), count: max(0, height - rows.count))
  }

  /// Draws the line below: the place of what is chosen, and the way out.
  func status(columns: Int, isView: Bool) -> Row {
    let place = total == 0 ? "" : " \(NumberText.grouped(chosen + 1)) of \(NumberText.grouped(total))"
    var row = Row(place.cut(columns: columns), .status)
    let back = isView ? "q back" : "Esc back"
    row.close(
      with: [
        isView ? "↑↓ choose · Enter opens · \(back)" : "type a part of a name · ↑↓ · Enter opens · \(back)",
        "Enter opens · \(back)", back,
      ], columns: columns, .status)
    return row
  }
}
