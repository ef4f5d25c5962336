internal import GRDB

/// Finds the words of a search index that contain a text, by reading the pages of its segments on which words
/// begin. The format is that of SQLite's `fts5_index.c`, "Segment leaf"; it is part of FTS5's file format and
/// stable. FTS5's own list of words (`fts5vocab`) reads all places of all words, too.
struct SegmentWords {
  let table: SearchTable
  let db: Database

  /// The first byte of words; lists of prefixes have others.
  private static let mark = UInt8(ascii: "0")
  /// FTS5's numbers of pages.
  private static let pageBits = 37

  struct Unreadable: Error {}

  /// Calls `body` with each word; a word may come more than once.
  ///
  /// - Throws: ``Unreadable`` for a form that is not known.
  func each(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let record = try RawStatement(db, "SELECT block FROM \(table.name)_data WHERE id = 10")
    guard let bytes = try record.first({ row in row.withBytes(0) { Array($0) } }),
      let structure = SegmentStructure(bytes)
    else { throw Unreadable() }
    let pages = try RawStatement(
      db,
      """
      SELECT page.block FROM \(table.name)_idx AS first CROSS JOIN \(table.name)_data AS page \
      ON page.id = (first.segid << \(Self.pageBits)) + (first.pgno >> 1) WHERE first.segid = ?1
      """)
    var word: [UInt8] = []
    for segment in structure.segments {
      pages.bind(Int64(segment.id), at: 1)
      try pages.each { row in
        try row.withBytes(0) { page in try Self.each(on: page, &word, body) }
      }
    }
  }

  /// A page has the offset of its places of words in two bytes behind two others. The first word is whole, each
  /// other one begins with some bytes of the word before it.
  private static func each(
    on page: UnsafeRawBufferPointer, _ word: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard page.count >= 4 else { throw Unreadable() }
    let end = Int(page[2]) << 8 | Int(page[3])
    guard end >= 4, end <= page.count else { throw Unreadable() }
    var (index, start, isFirst) = (end, 0, true)
    while index < page.count {
      start += try number(in: page, at: &index, before: page.count)
      var place = start
      let kept = isFirst ? 0 : try number(in: page, at: &place, before: end)
      let count = try number(in: page, at: &place, before: end)
      guard kept <= word.count, count <= end - place else { throw Unreadable() }
      word.removeSubrange(kept...)
      word.append(contentsOf: page[place..<place + count])
      isFirst = false
      guard word.first == mark else { continue }
      try word.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[1...])) }
    }
  }

  private static func number(
    in page: UnsafeRawBufferPointer, at index: inout Int, before end: Int
  ) throws -> Int {
    var number = 0
    for _ in 0..<5 {
      guard index < end else { throw Unreadable() }
      let byte = page[index]
      index += 1
      number = number << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return number }
    }
    throw Unreadable()
  }
}
