package import MessageModel
package import MessagePictures
package import TerminalText

extension Session where R == ScreenReader {
  /// - Parameters:
  ///   - isReadOnly: Whether the window is read-only, with the keys of `less`.
  ///   - hint: Lines over the first messages until the next key.
  package init(
    _ context: ReplContext, rows: Int, columns: Int, isReadOnly: Bool = false, hint: [String] = []
  ) throws(StoreError) {
    let reader = ScreenReader(context, rows: rows, columns: columns, isView: isReadOnly, hint: hint)
    try self.init(context, reader, isReadOnly: isReadOnly)
  }

  /// Sets what draws pictures; `nil` for none. Called again when the cell size changes.
  package mutating func draw(with drawer: (any PictureDrawer)?) {
    context.drawer = drawer
    reader.gallery.removeAll()
    // A read error appears at the next key.
    try? reader.layOut(size: nil, in: &context)
  }
}

extension Screen {
  /// The screen while long work is in progress.
  package var whileWorking: Screen {
    guard let status = rows.last else { return self }
    var row = Row(" working … Ctrl-C stops it", .status)
    row.pad(to: status.columns, .status)
    return Screen(rows: rows.dropLast() + [row], columns: columns, palette: palette)
  }
}

extension ScreenReader {
  /// Draws all rows except the last, where the user types.
  package static func show(_ session: inout Session<ScreenReader>) -> (shown: Screen, jobs: [Job]) {
    let (said, rows) = (session.reader.said(session.question), session.reader.rows)
    let status =
      said.last ?? session.reader.choicesDrawn.status
      ?? session.reader.cover.list?.status(on: session.reader) ?? session.reader.pickStatus
    var drawn = session.reader.rowsDrawn(below: said.dropLast())
    if rows > 2 || status != nil {
      drawn.append(status.map(session.reader.filled) ?? StatusLine.row(for: &session))
    }
    if let tour = session.context.tour { drawn.insert(tour.row(columns: session.reader.columns), at: 0) }
    let screen = Screen(
      rows: Array(drawn.suffix(max(1, rows - 1))), columns: session.reader.columns,
      palette: session.context.palette)
    return (screen, session.reader.pictureJobs(session.context))
  }

  /// The rows of a notice or a question; the last replaces the status line.
  func said(_ question: Question?) -> [Row] {
    guard let row = notice ?? question.map({ Row(" " + SafeText.oneLine($0.line), .status) }) else {
      return []
    }
    let (text, style) = (row.plainText, row.spans.first?.style ?? .status)
    guard row.columns > columns, rows > Self.fewestRowsToWrap else { return [row] }
    return LineWrapper.rows(of: text, columns: columns - 1, limit: Self.mostRowsSaid).enumerated().map {
      place, range in
      // The last row is cut if the text is still too long.
      let part = text[range.lowerBound..<(place == Self.mostRowsSaid - 1 ? text.endIndex : range.upperBound)]
      return Row((place == 0 ? "" : " ") + part, style)
    }
  }

  private static var mostRowsSaid: Int { 4 }
  /// On fewer rows, notices are cut to one.
  private static var fewestRowsToWrap: Int { 8 }

  mutating func rowsDrawn(below notices: some Collection<Row>) -> [Row] {
    let height = view.height
    var drawn = cover.list?.rows(on: self) ?? messagesDrawn()
    if !cover.isShown {
      if frame.hasScrollBar { drawScrollBar(on: &drawn) }
      // At least one message stays visible.
      for (index, line) in hint.prefix(height - 1).enumerated() {
        drawn[index] = filled(Row(" " + line, .status))
      }
    }
    let covering = choicesDrawn.rows + notices
    drawn.replaceSubrange((height - covering.count)..., with: covering.map(filled))
    gallery.fill(&drawn)
    if frame.hasDate {
      drawn.insert(cover.isShown ? Row() : view.dateAbove() ?? Row(), at: 0)
    }
    return drawn
  }

  private func drawScrollBar(on rows: inout [Row]) {
    guard let bar = view.scrollBar else { return }
    for index in rows.indices { rows[index].edge = bar.cell(index) }
  }

  private func messagesDrawn() -> [Row] {
    var isHit = view.top?.id == currentHit && currentHit != nil
    var isSelected = view.top.map { isPicked($0.id) } ?? false
    let isHitFolded = isHitFolded
    return view.shown.map { shown in
      if let id = shown.begins { (isHit, isSelected) = (id == currentHit, isPicked(id)) }
      let row = withHandle(shown, holdsHit: isHit && isHitFolded)
      if isSelected, !shown.isDate, shown.row != Row() { return row.chosen(columns: view.settings.columns) }
      return isHit ? row.asCurrentHit(margin: shown.begins == nil ? 0 : view.settings.marginColumns) : row
    }
  }

  private func isPicked(_ id: Message.ID) -> Bool { pickedMessages?.contains(id) ?? false }

  /// Whether the words of the current hit are in its folded text.
  private var isHitFolded: Bool {
    guard let currentHit, !view.settings.hits.isEmpty else { return false }
    let start = view.shown.firstIndex { $0.begins == currentHit } ?? 0
    let rows = view.shown[start...].enumerated().prefix { $0 == 0 || $1.begins == nil }
    return !rows.contains { $1.row.spans.contains { $0.style == .hit } }
  }

  /// - Parameter holdsHit: Whether folded text has the words that were searched for.
  private func withHandle(_ shown: HistoryView.ShownRow, holdsHit: Bool) -> Row {
    // A message of a single row has a letter instead.
    if let id = shown.folds, shown.begins == nil || handles.handle(of: id) == nil {
      let target = handles.handle(of: id) ?? "#\(id)"
      let command = (holdsHit ? "the hit is in it: " : "") + (isView ? ":view " : "/view ") + target
      return shown.row.naming(command, columns: columns, textColumn: view.settings.textColumn)
    }
    guard let id = shown.begins, let handle = handles.handle(of: id) else { return shown.row }
    return shown.row.withHandle(handle, margin: view.settings.marginColumns)
  }

  func filled(_ notice: Row) -> Row {
    var row = notice.cut(to: columns)
    row.pad(to: columns, notice.spans.first?.style ?? .plain)
    return row
  }
}

extension ScreenReader {
  /// Handles what only a screen has: events for its cover, and reports of pages, pictures and look-ups.
  package static func answer(
    _ event: ReplEvent, _ session: inout Session<ScreenReader>
  ) throws -> Effects? {
    session.reader.note(event)
    try session.noteInTour(event)
    if session.reader.cover.isShown, let effects = try session.answerInCover(event) { return effects }
    switch event {
    case .click(let click): return try session.click(click)
    case .key(let key, let count) where session.question == nil && !session.reader.cover.isShown:
      return try session.reader.pick(key, count, in: &session.context) ? Effects() : nil
    case .reported(let report): return try session.reader.take(report, in: &session.context) ? Effects() : nil
    case .timePassed: try session.reader.timePassed(in: &session.context)
    case .interrupted where session.typing == nil && session.reader.stopReading():
      return try session.emit(Effects(.stopped(.pages)))
    case .line, .typed, .search, .key, .resized, .storeChanged, .interrupted, .completions: break
    }
    return nil
  }

  /// Removes what is shown only until this event.
  private mutating func note(_ event: ReplEvent) {
    switch event {
    case .resized, .storeChanged, .timePassed, .reported: break
    case .completions: hint = []
    case .line, .typed, .search, .interrupted: (hint, choices) = ([], nil)
    case .key, .click: (hint, choices, notice) = ([], nil, nil)
    }
  }
}

/// The frame around the messages: a row at the top for their date, a column at the right for a scroll bar,
/// and two rows at the bottom for the status and the typed line. Small screens omit the first two. A tour has
/// a row above all others.
struct ScreenFrame: Hashable {
  var rows: Int
  var columns: Int
  let hasDate: Bool
  let hasScrollBar: Bool
  private let hasTour: Bool

  private static let fewest = (rows: 16, columns: 60)

  init(rows: Int, columns: Int, _ context: ReplContext) {
    self.rows = rows
    self.columns = columns
    let isRoomy = rows >= Self.fewest.rows && columns >= Self.fewest.columns
    hasDate = isRoomy && context.showsTopDate
    hasScrollBar = isRoomy && context.showsScrollBar
    hasTour = context.tour != nil
  }

  var rowsAbove: Int { (hasDate ? 1 : 0) + (hasTour ? 1 : 0) }

  var height: Int { max(1, rows - rowsAbove - 2) }

  /// Includes the margin.
  var messageColumns: Int { max(10, hasScrollBar ? columns - 1 : columns) }

  /// Longer messages are folded: at three quarters of the screen at most.
  var foldRows: Int { max(3, min(16, height * 3 / 4)) }
}
