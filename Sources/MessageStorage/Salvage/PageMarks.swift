/// What is known of the pages of a file: a bit for each page and each thing.
struct PageMarks {
  /// A thing that is known of a page.
  enum Mark: Int, CaseIterable {
    /// A tree led to it, and it holds what that tree should.
    case reached
    /// It is one that nobody uses.
    case free
    /// A record goes on there.
    case overflow
    /// Some of what it holds could not be understood.
    case partly
  }

  private var words: [[UInt64]]
  private var overflowReads: [UInt8]
  let pageCount: Int

  init(pageCount: Int) {
    self.pageCount = pageCount
    words = Mark.allCases.map { _ in [UInt64](repeating: 0, count: pageCount / 64 + 1) }
    overflowReads = [UInt8](repeating: 0, count: pageCount + 1)
  }

  /// Whether there is such a page.
  func contains(_ page: Int) -> Bool { page >= 1 && page <= pageCount }

  func has(_ mark: Mark, _ page: Int) -> Bool {
    contains(page) && words[mark.rawValue][page / 64] & 1 << UInt64(page % 64) != 0
  }

  mutating func set(_ mark: Mark, _ page: Int) {
    if contains(page) { words[mark.rawValue][page / 64] |= 1 << UInt64(page % 64) }
  }

  mutating func clear(_ mark: Mark) { words[mark.rawValue] = words[mark.rawValue].map { _ in 0 } }

  /// Whether a page may be read once more as one on which a record goes on. A page belongs to one record; damage has
  /// several lead to it, but not without end.
  mutating func mayReadOverflow(_ page: Int) -> Bool {
    guard contains(page), overflowReads[page] < 8 else { return false }
    overflowReads[page] += 1
    return true
  }
}
