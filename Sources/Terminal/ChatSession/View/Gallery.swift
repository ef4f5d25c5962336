internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// The pictures of a selection, newest first: as a grid where pictures can be drawn, else as a list. Of any number of them
/// it holds some pages around those on the screen, and the keys by which the pages passed are read again.
package struct Gallery: Sendable {
  /// A picture: a file, and the message that it is attached to.
  typealias Item = SharedThingAnswer

  /// The beginning of a page.
  private struct Start: Hashable {
    /// The message before which its pictures lie; `nil` for the newest end.
    var before: Message.ID?
    /// The number of pictures before it.
    var place: Int
  }

  /// The arrangement of pictures on the screen.
  struct Grid: Hashable {
    var columns: Int
    var rows: Int
    /// The columns and rows of one, with its name; one row where nothing can be drawn.
    var width: Int
    var height: Int
    /// The size of a character cell in pixels; `nil` where nothing can be drawn.
    var cell: PixelSize?

    var count: Int { columns * rows }
  }

  /// The words by which they were asked for; empty for all.
  let words: String
  private let selection: Selection
  /// The beginnings of the pages that were read, and of the next one.
  private var starts = [Start(before: nil, place: 0)]
  /// The number of pictures; `nil` as long as the oldest one is not known.
  private var total: Int?
  /// The pictures of some pages, by the numbers of these.
  private var pages: [Int: [Item]] = [:]
  private(set) var grid = Grid(columns: 1, rows: 1, width: 1, height: 1)
  /// The places of the chosen picture and of the first one shown, from the newest, which is 0.
  private var chosen = 0
  private var top = 0

  private static let pageSize = 120
  private static let mostPages = 4

  /// Creates a gallery of the pictures of a selection; nothing is read yet.
  init(of selection: Selection, words: String) { (self.selection, self.words) = (selection, words) }

  /// The chosen picture; `nil` if there is none.
  var chosenItem: Item? { item(at: chosen) }

  /// Whether there are no pictures.
  var isEmpty: Bool { total == 0 }

  /// The number of pictures that are held.
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
  /// Chooses another picture, so many older ones on.
  mutating func move(_ count: Int) { chosen = max(0, chosen.adding(count)) }

  /// Has pictures be read again: something has changed. What is older than the first screen stays where it was.
  mutating func noticeChange() {
    if top == 0 { starts = [Start(before: nil, place: 0)] }
    total = nil
    pages = [:]
  }
}

// MARK: Reading

extension Gallery {
  /// Reads the pictures that a screen of this size shows, unless they are there.
  ///
  /// - Parameter cell: The size of a character cell in pixels; `nil` where nothing can be drawn.
  /// - Throws: ``StoreError`` if the store cannot be read or reading was stopped; what was shown stays.
  /// - Complexity: Pages of messages with files, as far as they were not passed before.
  mutating func settle(
    rows: Int, columns: Int, cell: PixelSize?, in store: SynchronousMessageStore
  ) throws(StoreError) {
    grid = Self.grid(rows: rows, columns: columns, cell: cell)
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

  /// Reads pages that were never read, until there is a picture at a place or none follows.
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
    // What comes in later is no part of this page.
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
  /// Draws so many rows.
  func rows(height: Int, columns: Int, zone clock: WallClock) -> [Row] {
    var rows = [Row](repeating: Row(), count: height)
    var clock = clock
    for index in 0..<grid.count {
      guard let item = item(at: top + index) else { continue }
      let isChosen = top + index == chosen
      if let cell = grid.cell {
        draw(item, isChosen: isChosen, cell, index, on: &rows)
      } else if rows.indices.contains(index) {
        rows[index] = Self.line(of: item, columns: columns, &clock)
        if isChosen {
          rows[index] = rows[index].asChosen
          rows[index].pad(to: columns, .selection)
        }
      }
    }
    if isEmpty { rows[0] = Row(" there are no pictures here", .dim) }
    return rows
  }

  /// Draws a picture in its field of the grid, above its name.
  private func draw(_ item: Item, isChosen: Bool, _ cell: PixelSize, _ index: Int, on rows: inout [Row]) {
    let (left, first) = (index % grid.columns * grid.width, index / grid.columns * grid.height)
    let area = PictureArea(columns: grid.width - 2, rows: grid.height - 1, cell: cell)
    let slots = (item.file.map { area.rows(for: $0, .thumbnail) } ?? []).compactMap(\.picture)
    for (offset, slot) in slots.enumerated() where rows.indices.contains(first + offset) {
      var slot = slot
      slot.column = left + 1
      rows[first + offset].pictures.append(slot)
    }
    // Below the picture, or where it would be.
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

  /// Draws the line below: which picture is chosen, whose it is, and the way out.
  func status(columns: Int, isView: Bool, zone clock: WallClock) -> Row {
    var clock = clock
    var text = " pictures"
    if let item = chosenItem {
      let of = total.map { " of \(NumberText.grouped($0))" } ?? ""
      let sender = item.sender.map { " · \(SafeText.oneLine($0).cut(columns: 20))" } ?? ""
      text = " \(NumberText.grouped(chosen + 1))\(of) · \(Self.date(of: item, &clock))\(sender)"
    }
    var row = Row(text.cut(columns: max(8, columns - 2)), .status)
    let back = isView ? "q back" : "Esc back"
    row.close(
      with: ["arrows choose · Enter goes there · \(back)", "Enter goes there · \(back)", back],
      columns: columns, .status)
    return row
  }
}

extension SharedThingAnswer {
  /// The file, as far as it is needed to draw it.
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
