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
  func carve(_ body: (TreeRecord) throws -> Void) throws {
    let isMessage = { (record: TreeRecord) in record.values.count == 13 && RowShape.message.fits(record) }
    for number in source.pages.numbers where mayHoldMore(number) {
      guard let bytes = source.pages.page(number), let page = carved(number, bytes) else { continue }
      for place in 0..<bytes.count - 1 where bytes[place] != 0 {
        guard let cell = page.carvedCell(at: place), cell.byteCount >= 20,
          let record = source.record(of: cell, on: page, isMessage)
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
