/// Walks a tree from its root in the order of its keys, skipping unreadable pages.
struct TreeWalk {
  private let source: PageSource
  private let isOfIndex: Bool
  private let fits: (TreeRecord) -> Bool
  private(set) var isWhole = true

  /// SQLite's limit.
  private static let maxDepth = 20

  init(_ source: PageSource, isOfIndex: Bool, fits: @escaping (TreeRecord) -> Bool) {
    (self.source, self.isOfIndex, self.fits) = (source, isOfIndex, fits)
  }

  init(_ source: PageSource, _ shape: RowShape) {
    self.init(source, isOfIndex: shape.isOfIndex, fits: shape.fits)
  }

  mutating func run(from root: Int, _ body: (TreeRecord) throws -> Void) throws {
    try visit(root, depth: 0, body)
  }

  private mutating func visit(_ number: Int, depth: Int, _ body: (TreeRecord) throws -> Void) throws {
    guard depth < Self.maxDepth, source.marks.contains(number), !source.marks.has(.reached, number),
      let page = try source.treePage(number), page.kind.isOfIndex == isOfIndex
    else {
      isWhole = false
      return
    }
    let records = page.kind == .tableInterior ? [] : records(of: page)
    guard 2 * records.count(where: { $0 != nil }) >= records.count else {
      isWhole = false
      return
    }
    source.marks.set(.reached, number)
    if page.isPartly || records.contains(where: { $0 == nil }) {
      source.marks.set(.partly, number)
      isWhole = false
    }
    for (index, place) in page.places.enumerated() {
      if !page.kind.isLeaf, let child = page.cell(at: place)?.child {
        try visit(child, depth: depth + 1, body)
      }
      if index < records.count, let record = records[index] { try body(record) }
    }
    if let child = page.rightChild { try visit(child, depth: depth + 1, body) }
  }

  private func records(of page: TreePage) -> [TreeRecord?] {
    page.places.map { place in
      page.cell(at: place).flatMap { cell in source.record(of: cell, on: page, fits) }
    }
  }
}

/// Searches the pages that no tree leads to, and damaged pages between their rows.
struct PageSweep {
  let source: PageSource
  let shapes: [RowShape]

  func run(_ body: (RowShape, TreeRecord) throws -> Void) throws {
    for number in source.pages.numbers where !isAccountedFor(number) {
      guard let page = try source.treePage(number), page.kind != .tableInterior,
        let shape = shape(of: page)
      else { continue }
      var isPartly = page.isPartly
      for place in page.places {
        if let record = record(at: place, of: page, shape.isLikely) {
          try body(shape, record)
        } else {
          isPartly = true
        }
      }
      source.marks.set(.reached, number)
      if isPartly { source.marks.set(.partly, number) }
    }
  }

  /// Calls `body` with everything on damaged pages that resembles a message; only its checksum can prove it.
  func carve(_ message: RowShape, _ body: (TreeRecord) throws -> Void) throws {
    for number in source.pages.numbers where mayHoldMore(number) {
      guard let bytes = source.pages.page(number), let page = carved(number, bytes) else { continue }
      for place in 0..<bytes.count - 1 where bytes[place] != 0 {
        guard let cell = page.carvedCell(at: place), cell.byteCount >= 20,
          let record = source.record(of: cell, on: page, message.fits)
        else { continue }
        try body(record)
      }
    }
  }

  private func isAccountedFor(_ number: Int) -> Bool {
    [PageMarks.Mark.reached, .free, .overflow].contains { source.marks.has($0, number) }
  }

  private func mayHoldMore(_ number: Int) -> Bool {
    if source.marks.has(.partly, number) { return true }
    guard !isAccountedFor(number), let bytes = source.pages.page(number) else { return false }
    // A well-filled page of another tree has no other rows.
    guard let page = TreePage(number: number, bytes: bytes) else { return true }
    return !page.isWellFilled
  }

  /// Treats any bytes as an index page.
  private func carved(_ number: Int, _ bytes: [UInt8]) -> TreePage? {
    if let page = TreePage(number: number, bytes: bytes) { return page }
    var head = bytes
    let start = number == 1 ? DatabaseHeader.byteCount : 0
    head.replaceSubrange(start..<start + 8, with: [TreePage.Kind.indexLeaf.rawValue, 0, 0, 0, 0, 0, 0, 0])
    return TreePage(number: number, bytes: head)
  }

  private func shape(of page: TreePage) -> RowShape? {
    guard !page.places.isEmpty else { return nil }
    let records = page.places.map { place in
      record(at: place, of: page) { record in shapes.contains { $0.isLikely(record) } }
    }
    return shapes.first { shape in
      shape.isOfIndex == page.kind.isOfIndex
        && 2 * records.count(where: { $0.map(shape.isLikely) ?? false }) >= page.places.count
    }
  }

  private func record(
    at place: Int, of page: TreePage, _ isWanted: (TreeRecord) -> Bool
  ) -> TreeRecord? {
    page.cell(at: place).flatMap { source.record(of: $0, on: page, isWanted) }
  }
}

struct StoreCatalog {
  private(set) var roots: [String: Int] = [:]
  private(set) var isOfStore = false

  /// Reads the table of tables, and where it is damaged any page with a part of it.
  init(_ source: PageSource) throws {
    var walk = TreeWalk(source, .schema)
    try walk.run(from: 1) { take($0) }
    guard !walk.isWhole || roots[RowShapes.messages] == nil else { return }
    try PageSweep(source: source, shapes: [.schema]).run { _, record in take(record) }
  }

  private mutating func take(_ record: TreeRecord) {
    guard let type = record.text(0), let name = record.text(1), let root = record.integer(3),
      let page = Int(exactly: root), page > 0
    else { return }
    let word = String(decoding: type, as: UTF8.self)
    guard word == "table" || word == "index" else { return }
    let label = String(decoding: name, as: UTF8.self)
    if roots[label] == nil { roots[label] = page }
    if label == RowShapes.messages, let sql = record.text(4) {
      isOfStore =
        isOfStore || String(decoding: sql, as: UTF8.self).contains("precision INTEGER NOT NULL DEFAULT 0")
    }
  }
}
