internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// The pictures of a selection, newest first: a grid where pictures can be drawn, else a list. It holds the
/// pages around the screen, and the start of each page read, to read it again.
package struct Gallery: ListCover {
  /// A picture file with its message.
  typealias Item = SharedThingAnswer

  private struct Start: Hashable {
    /// The message before which its pictures lie; `nil` for the newest end.
    var before: Message.ID?
    /// The number of pictures before it.
    var place: Int
  }

  private struct Grid: Hashable {
    var columns: Int
    var rows: Int
    /// The size of a picture with its name, in cells; one row in a list.
    var width: Int
    var height: Int
    /// The size of a character cell in pixels; `nil` for a list.
    var cell: PixelSize?

    var count: Int { columns * rows }
  }

  private let selection: Selection
  /// The starts of the pages read so far, and of the next one.
  private var starts = [Start(before: nil, place: 0)]
  /// The number of pictures; `nil` until the oldest one is known.
  private var total: Int?
  private var pages: [Int: [Item]] = [:]
  private var grid = Grid(columns: 1, rows: 1, width: 1, height: 1)
  /// The chosen picture and the first visible one, as indices from the newest.
  private var chosen = 0
  private var top = 0

  private static let pageSize = 120
  private static let mostPages = 4

  init(of selection: Selection) { self.selection = selection }

  var chosenItem: Item? { item(at: chosen) }

  var isEmpty: Bool { total == 0 }

  var heldCount: Int { pages.values.reduce(0) { $0 + $1.count } }

  private func item(at place: Int) -> Item? {
    guard let number = starts.lastIndex(where: { $0.place <= place }), let page = pages[number] else {
      return nil
    }
    let index = place - starts[number].place
    return page.indices.contains(index) ? page[index] : nil
  }
}

// MARK: Choosing

extension Gallery {
  var arrows: ArrowUse { .map }
  var lineUse: Completion.Line { .query }

  mutating func move(_ motion: Motion, on screen: ScreenReader, in context: ReplContext) -> Bool {
    switch motion {
    case .messages(let count), .days(let count): move(count)
    case .rows, .halfPages, .pages: move((motion.rows(page: grid.rows) ?? 0) * grid.columns)
    // The newest is at the top, as in a list of hits.
    case .end(let direction): move(direction == .newer ? -.max : .max)
    case .to, .hit, .retrace, .restore: return false
    }
    return true
  }

  mutating func point(
    to row: Int, column: Int, on screen: ScreenReader, in context: ReplContext
  ) -> Bool {
    let (across, down) = (column / grid.width, row / grid.height)
    let place = top + down * grid.columns + across
    guard column >= 0, across < grid.columns, down < grid.rows, item(at: place) != nil else { return false }
    chosen = place
    return true
  }

  /// Moves the choice towards older pictures, or newer ones if negative.
  private mutating func move(_ count: Int) { chosen = max(0, chosen.adding(count)) }

  /// Other words than a command look for other pictures.
  func command(choosing line: String) -> ReplCommand? {
    .gallery(String(line.trimming(while: \.isWhitespace)))
  }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? {
    guard let item = chosenItem else { return Effects() }
    return try session.leaveCover(to: .to(.around(item.id), amongOthers: true))
  }

  /// Reads again after a change. Away from the newest pictures the page starts stay.
  mutating func noticeChange() {
    if top == 0 { starts = [Start(before: nil, place: 0)] }
    total = nil
    pages = [:]
  }
}

// MARK: Reading

extension Gallery {
  mutating func settle(on screen: ScreenReader, in context: ReplContext) throws(StoreError) {
    let store = context.store
    grid = Self.grid(rows: screen.view.height, columns: screen.columns, cell: context.drawer?.cell)
    try read(through: chosen, in: store)
    if let total { chosen = min(chosen, max(0, total - 1)) }
    let row = chosen / grid.columns
    let topRow = max(min(top / grid.columns, row), row - grid.rows + 1)
    top = topRow * grid.columns
    try read(through: top + grid.count - 1, in: store)
    let shown = number(of: top)...number(of: top + grid.count - 1)
    for number in shown where pages[number] == nil { try read(number, in: store) }
    pages = pages.filter { abs($0.key - number(of: chosen)) < Self.mostPages }
  }

  private func number(of place: Int) -> Int { starts.lastIndex { $0.place <= place } ?? 0 }

  /// Reads further pages up to the picture at `place`, or to the oldest one.
  private mutating func read(through place: Int, in store: SynchronousMessageStore) throws(StoreError) {
    while total == nil, starts[starts.count - 1].place <= place {
      try read(starts.count - 1, in: store)
      pages = pages.filter { $0.key > starts.count - Self.mostPages * 2 }
    }
  }

  private mutating func read(_ number: Int, in store: SynchronousMessageStore) throws(StoreError) {
    let start = starts[number]
    let answer = try QuestionAnswerer(store).shared(
      .pictures, in: selection, before: start.before, limit: Self.pageSize)
    pages[number] = answer.shared
    // Pictures that arrive later are not on this page.
    if start.before == nil, let newest = answer.shared.first, newest.id < .highest {
      starts[number].before = newest.id.successor
    }
    guard number == starts.count - 1 else { return }
    if let next = answer.next {
      starts.append(Start(before: next, place: start.place + answer.shared.count))
    } else {
      total = start.place + answer.shared.count
    }
  }

  private static func grid(rows: Int, columns: Int, cell: PixelSize?) -> Grid {
    guard let cell, rows >= 4, columns >= 12 else {
      return Grid(columns: 1, rows: max(1, rows), width: columns, height: 1)
    }
    let across = max(1, min(8, columns / 26))
    let down = max(1, min(4, rows / 9))
    return Grid(columns: across, rows: down, width: columns / across, height: rows / down, cell: cell)
  }
}

// MARK: Drawing

extension Gallery {
  func rows(on screen: ScreenReader) -> [Row] {
    var rows: [Row] = [].filled(to: screen.view.height)
    var clock = WallClock(zone: screen.view.settings.zone)
    for index in 0..<grid.count {
      guard let item = item(at: top + index) else { continue }
      let isChosen = top + index == chosen
      if let cell = grid.cell {
        draw(item, isChosen: isChosen, cell, index, on: &rows)
      } else if rows.indices.contains(index) {
        let row = Self.line(of: item, columns: screen.columns, &clock)
        rows[index] = isChosen ? row.chosen(columns: screen.columns) : row
      }
    }
    if isEmpty { rows[0] = Row(" there are no pictures here", .dim) }
    return rows
  }

  private func draw(_ item: Item, isChosen: Bool, _ cell: PixelSize, _ index: Int, on rows: inout [Row]) {
    let (left, first) = (index % grid.columns * grid.width, index / grid.columns * grid.height)
    let area = PictureArea(columns: grid.width - 2, rows: grid.height - 1, cell: cell)
    let slots = (item.file.map { area.rows(for: $0, .thumbnail) } ?? []).compactMap(\.picture)
    for (offset, slot) in slots.enumerated() where rows.indices.contains(first + offset) {
      var slot = slot
      slot.column = left + 1
      rows[first + offset].pictures.append(slot)
    }
    // The name is below the picture, or in its place.
    let place = first + (slots.isEmpty ? 0 : min(slots.count, grid.height - 1))
    guard rows.indices.contains(place) else { return }
    let name = SafeText.oneLine(item.attachment?.name ?? "").cut(columns: grid.width - 2)
    rows[place].pad(to: left + 1)
    rows[place].append(isChosen && name.isEmpty ? " " : name, isChosen ? .selection : .dim)
  }

  private static func line(of item: Item, columns: Int, _ clock: inout WallClock) -> Row {
    var row = Row(" " + date(of: item, &clock), .dim)
    row.pad(to: 19)
    let name = SafeText.oneLine(item.sender ?? "")
    row.append(name.cut(columns: 12), .sender(name))
    row.pad(to: 33)
    let facts = [item.attachment?.name, item.attachment?.bytes.map { NumberText.bytes($0) }, item.text]
    row.append(facts.compactMap { $0 }.map { SafeText.oneLine($0) }.joined(separator: " · "))
    return row.cut(to: columns)
  }

  private static func date(of item: Item, _ clock: inout WallClock) -> String {
    DateText.minute(of: item.time, item.precision, &clock)
  }

  func status(on screen: ScreenReader) -> Row? {
    var clock = WallClock(zone: screen.view.settings.zone)
    var text = " pictures"
    if let item = chosenItem {
      let of = total.map { " of \(NumberText.grouped($0))" } ?? ""
      let sender = item.sender.map { " · \(SafeText.oneLine($0).cut(columns: 20))" } ?? ""
      text = " \(NumberText.grouped(chosen + 1))\(of) · \(Self.date(of: item, &clock))\(sender)"
    }
    return screen.status(text.cut(columns: max(8, screen.columns - 2)), "arrows choose")
  }
}

extension SharedThingAnswer {
  fileprivate var file: Message.Attachment? {
    attachment.map { file in
      var size: PixelSize?
      if let width = file.width, let height = file.height { size = PixelSize(width: width, height: height) }
      return Message.Attachment(
        name: file.name, mediaType: file.type, byteCount: file.bytes, sha256: file.sha256, pixelSize: size,
        isStored: file.stored ?? false, pictures: file.pictures)
    }
  }
}
