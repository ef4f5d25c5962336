/// Walks a tree from its root in the order of its keys, skipping unreadable pages.
struct TreeWalk {
  let source: PageSource
  let shape: RowShape
  private(set) var isWhole = true

  /// SQLite's limit.
  private static let maxDepth = 20

  init(_ source: PageSource, _ shape: RowShape) {
    (self.source, self.shape) = (source, shape)
  }

  mutating func run(from root: Int, _ body: (TreeRecord) throws -> Void) throws {
    try visit(root, depth: 0, body)
  }

  private mutating func visit(_ number: Int, depth: Int, _ body: (TreeRecord) throws -> Void) throws {
    guard depth < Self.maxDepth, source.marks.contains(number), !source.marks.has(.reached, number),
      let page = try source.treePage(number), page.kind.isOfIndex == shape.isOfIndex
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
      page.cell(at: place).flatMap { cell in source.record(of: cell, on: page, shape.fits) }
    }
  }
}
