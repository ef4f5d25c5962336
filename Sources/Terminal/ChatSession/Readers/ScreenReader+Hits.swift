internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

extension ScreenReader {
  private static let fewestPreviewRows = 3

  /// A low screen shows no messages beside the list.
  var hitRowCount: Int {
    let rows = max(3, view.height * 2 / 5)
    return view.height - rows - 1 < Self.fewestPreviewRows ? view.height : rows
  }

  mutating func settleCover(_ context: ReplContext) throws(StoreError) {
    switch cover {
    case .none, .listing, .map: break
    case .hits: try settleHits(context)
    case .switcher(var switcher):
      defer { cover = .switcher(switcher) }
      try switcher.settle(rows: view.height, columns: columns, in: context)
    case .gallery(var gallery):
      defer { cover = .gallery(gallery) }
      try gallery.settle(
        rows: view.height, columns: columns, cell: context.drawer?.cell, in: context.store)
    }
  }

  /// Reads the list, and the messages around the chosen hit regardless of the filter.
  private mutating func settleHits(_ context: ReplContext) throws(StoreError) {
    guard case .hits(var shown) = cover else { return }
    defer { cover = .hits(shown) }
    let count = hitRowCount
    try shown.list.settle(rows: count, in: context.store)
    let height = view.height - count - 1
    let before = shown.preview
    shown.preview = nil
    guard let hit = shown.list.chosen, height > 0 else { return }
    if let before, before.id == hit.id, before.view.height == height,
      before.view.settings.columns == view.settings.columns
    {
      shown.preview = before
      return
    }
    var settings = view.settings
    settings.hits = hit.marks
    settings.hitsAreWords = false
    settings.pictures = nil
    var around = HistoryView(
      of: context.wholeSelection, in: context.store, settings: settings, height: height,
      naming: context.naming)
    try around.jump(to: .around(hit.id), rowsAbove: height / 3)
    shown.preview = (hit.id, around)
  }

  func hitsDrawn(_ shown: HitCover) -> [Row] {
    let height = hitRowCount
    var rows = rows(of: shown.list, height: height)
    rows += Array(repeating: Row(), count: max(0, height - rows.count))
    guard view.height > height else { return rows }
    rows.append(Row(String(repeating: "─", count: columns), .dim))
    let around = shown.preview?.view.shown.map { row in
      guard let id = row.begins, id == shown.preview?.id else { return row.row }
      return row.row.withHandle("▸", margin: view.settings.marginColumns)
    }
    rows += around ?? []
    return rows + Array(repeating: Row(), count: max(0, view.height - rows.count))
  }

  private func rows(of list: HitList, height: Int) -> [Row] {
    guard !list.shown.isEmpty else { return [Row(" " + Self.emptiness(of: list), .dim)] }
    var clock = WallClock(zone: view.settings.zone)
    return list.shown.prefix(height).map { hit in
      var row = row(of: hit, &clock)
      guard hit.id == list.chosen?.id else { return row }
      row = row.asChosen
      row.pad(to: columns, .selection)
      return row
    }
  }

  private static func emptiness(of list: HitList) -> String {
    if list.search == nil { return "type what to look for" }
    return list.isReading ? "searching …" : "nothing found"
  }

  /// Date, name and snippet, as far as there is room.
  private func row(of hit: SearchHit, _ clock: inout WallClock) -> Row {
    let date = hit.dateText(&clock)
    var row = Row(" " + (columns < 60 ? String(date.prefix(10)) : date), .dim)
    let nameColumn = columns < 60 ? 13 : 19
    row.pad(to: nameColumn)
    if columns >= 40 {
      let names = view.naming?.names(of: hit.message) ?? ShownNames()
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
}

extension Row {
  /// The style of a chosen row: matches are bold.
  var asChosen: Row {
    var row = Row()
    for span in spans {
      var style = Style.selection
      style.isBold = span.style == .hit
      row.append(span.text, style)
    }
    return row
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

  /// The snippet in parts, and whether each is a match.
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

enum HitStatus {
  static func row(for list: HitList, columns: Int, isView: Bool) -> Row {
    var row = Row(" " + text(list).cut(columns: max(8, columns - 2)), .status)
    row.close(with: ways(list, isView: isView), columns: columns, .status)
    return row
  }

  private static func text(_ list: HitList) -> String {
    guard let search = list.search else { return "hits" }
    let count = list.count.map { NumberText.counted($0, "hit") } ?? "… hits"
    let rank = list.rank.map { "\(NumberText.grouped($0)) of " } ?? ""
    let reached = list.hits?.reachedTime.map { " · back to \(DateText.date($0.utc)) …" } ?? ""
    return "\(rank)\(count) · '\(search.query.cut(columns: 40))'\(reached)"
  }

  /// Hints, longest first.
  private static func ways(_ list: HitList, isView: Bool) -> [String] {
    let back = isView ? "q back" : "Esc back"
    let narrow = isView ? "/ narrows" : list.base == nil ? "typing searches" : "typing narrows"
    return ["↑ ↓ choose · \(narrow) · Enter goes there · \(back)", "Enter goes there · \(back)", back]
  }
}
