internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// A list of hits and, below it, the messages around the chosen one.
struct HitCover: ListCover {
  typealias Preview = (id: Message.ID, view: HistoryView)

  var list: HitList
  /// `nil` without a chosen hit, or without room.
  var preview: Preview?

  var key: ReplKey? { .hits }
  var lineUse: Completion.Line { .query }

  private static let fewestPreviewRows = 3

  /// A low screen shows no messages beside the list.
  private static func rowCount(on screen: ScreenReader) -> Int {
    let rows = max(3, screen.view.height * 2 / 5)
    return screen.view.height - rows - 1 < fewestPreviewRows ? screen.view.height : rows
  }

  mutating func move(_ motion: Motion, on screen: ScreenReader, in context: ReplContext) -> Bool {
    if let end = motion.end {
      list.goToEnd(end)
    } else if let count = motion.rows(page: max(1, Self.rowCount(on: screen) - 1)) {
      list.move(count)
    }
    return true
  }

  mutating func point(to row: Int, on screen: ScreenReader) -> Bool {
    let shown = list.shown.prefix(Self.rowCount(on: screen))
    guard shown.indices.contains(row), let chosen = shown.firstIndex(where: { $0.id == list.chosen?.id })
    else {
      return false
    }
    list.move(row - chosen)
    return true
  }

  /// Reads the list, and the messages around the chosen hit regardless of the filter.
  mutating func settle(on screen: ScreenReader, in context: ReplContext) throws(StoreError) {
    let count = Self.rowCount(on: screen)
    try list.settle(rows: count, in: context.store)
    let height = screen.view.height - count - 1
    let before = preview
    preview = nil
    guard let hit = list.chosen, height > 0 else { return }
    if let before, before.id == hit.id, before.view.height == height,
      before.view.settings.columns == screen.view.settings.columns
    {
      preview = before
      return
    }
    var settings = screen.view.settings
    settings.hits = hit.marks
    settings.hitsAreWords = false
    settings.pictures = nil
    var around = HistoryView(
      of: context.wholeSelection, in: context.store, settings: settings, height: height,
      naming: context.naming)
    try around.jump(to: .around(hit.id), rowsAbove: height / 3)
    preview = (hit.id, around)
  }

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    try session.narrowHits(line)
  }

  func enter(_ line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard CommandParser.isCommand(line) else { return try choose(in: &session) }
    _ = close(in: &session)
    return nil
  }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? { try session.goToHit() }

  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects? {
    guard key == .answered else { return Effects() }
    var effects = close(in: &session)
    effects.emptiesLine = true
    return try session.emit(session.listBest("")).adding(effects)
  }

  func close(in session: inout Session<ScreenReader>) -> Effects {
    session.closeHits()
    return Effects(stops: [.hits, .listCount])
  }
}

// MARK: Drawing

extension HitCover {
  func rows(on screen: ScreenReader) -> [Row] {
    let height = Self.rowCount(on: screen)
    let rows = listed(height, on: screen).filled(to: height)
    guard screen.view.height > height else { return rows }
    let around = preview?.view.shown.map { row in
      guard let id = row.begins, id == preview?.id else { return row.row }
      return row.row.withHandle("▸", margin: screen.view.settings.marginColumns)
    }
    let line = Row(String(repeating: "─", count: screen.columns), .dim)
    return (rows + [line] + (around ?? [])).filled(to: screen.view.height)
  }

  private func listed(_ height: Int, on screen: ScreenReader) -> [Row] {
    guard !list.shown.isEmpty else { return [Row(" " + emptiness, .dim)] }
    var clock = WallClock(zone: screen.view.settings.zone)
    return list.shown.prefix(height).map { hit in
      let row = Self.row(of: hit, on: screen, &clock)
      return hit.id == list.chosen?.id ? row.chosen(columns: screen.columns) : row
    }
  }

  private var emptiness: String {
    if list.search == nil { return "type what to look for" }
    return list.isReading ? "searching …" : "nothing found"
  }

  private static func row(of hit: SearchHit, on screen: ScreenReader, _ clock: inout WallClock) -> Row {
    let columns = screen.columns
    let date = hit.dateText(&clock)
    var row = Row(" " + (columns < 60 ? String(date.prefix(10)) : date), .dim)
    let nameColumn = columns < 60 ? 13 : 19
    row.pad(to: nameColumn)
    if columns >= 40 {
      let names = screen.view.naming?.names(of: hit.message) ?? ShownNames()
      if columns >= 80, let conversation = names.conversation {
        row.append(SafeText.oneLine(conversation).cut(columns: 12), .conversation(name: conversation))
        row.pad(to: nameColumn + 14)
      }
      let nameColumn = row.columns
      let name = SafeText.oneLine(names.person ?? hit.senderName)
      row.append(name.cut(columns: 12), names.isOwn ? .own : .sender(name))
      row.pad(to: nameColumn + 14)
    }
    for (part, isFound) in hit.parts(columns: columns - row.columns) {
      row.append(part, isFound ? .hit : .plain)
    }
    return row.cut(to: columns)
  }

  func status(on screen: ScreenReader) -> Row? {
    let narrow = screen.isView ? "/ narrows" : list.base == nil ? "typing searches" : "typing narrows"
    let text = " " + statusText.cut(columns: max(8, screen.columns - 2))
    return screen.status(text, "↑ ↓ choose · \(narrow)")
  }

  private var statusText: String {
    guard let search = list.search else { return "hits" }
    let count = list.count.map { NumberText.counted($0, "hit") } ?? "… hits"
    let rank = list.rank.map { "\(NumberText.grouped($0)) of " } ?? ""
    let reached = list.hits?.reachedTime.map { " · back to \(DateText.date($0.utc)) …" } ?? ""
    return "\(rank)\(count) · '\(search.query.cut(columns: 40))'\(reached)"
  }
}

extension SearchHit {
  var marks: [String] {
    var marks: [String] = []
    for (part, isFound) in parts where isFound && !marks.contains(part) { marks.append(part) }
    return marks
  }

  /// The snippet in parts, safe for display, cut so that the first match is visible.
  func parts(columns: Int) -> [(text: String, isFound: Bool)] {
    var parts = parts.map { (text: SafeText.oneLine($0.text), isFound: $0.isFound) }
    guard parts.count > 1, !parts[0].isFound else { return parts }
    let needed = parts.prefix(2).reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    guard needed + 1 > columns else { return parts }
    var lead = parts[0].text[...]
    while DisplayWidth.columns(of: lead) > max(0, columns / 3) { lead.removeFirst() }
    parts[0].text = "…" + lead
    return parts
  }

  var parts: [(text: String, isFound: Bool)] {
    let bytes = Array(snippet.text.utf8)
    var parts: [(String, Bool)] = []
    var place = 0
    func add(_ end: Int, _ isFound: Bool) {
      guard place < end, end <= bytes.count else { return }
      parts.append((String(decoding: bytes[place..<end], as: UTF8.self), isFound))
      place = end
    }
    for range in snippet.matches {
      add(range.lowerBound, false)
      add(range.upperBound, true)
    }
    add(bytes.count, false)
    return parts
  }
}
