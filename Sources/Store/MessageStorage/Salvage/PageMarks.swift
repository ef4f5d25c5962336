/// The marks of the pages of a file: a bit for each page and each thing.
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
  private let numbers: PageNumbers

  init(_ numbers: PageNumbers) {
    self.numbers = numbers
    words = Mark.allCases.map { _ in [UInt64](repeating: 0, count: numbers.count / 64 + 1) }
    overflowReads = [UInt8](repeating: 0, count: numbers.count)
  }

  /// Whether there is such a page.
  func contains(_ page: Int) -> Bool { numbers.position(of: page) != nil }

  func has(_ mark: Mark, _ page: Int) -> Bool {
    guard let position = numbers.position(of: page) else { return false }
    return words[mark.rawValue][position / 64] & 1 << UInt64(position % 64) != 0
  }

  mutating func set(_ mark: Mark, _ page: Int) {
    guard let position = numbers.position(of: page) else { return }
    words[mark.rawValue][position / 64] |= 1 << UInt64(position % 64)
  }

  mutating func clear(_ mark: Mark) { words[mark.rawValue] = words[mark.rawValue].map { _ in 0 } }

  /// Whether a page may be read once more as one on which a record goes on. A page belongs to one record; damage has
  /// several lead to it, but not without end.
  mutating func mayReadOverflow(_ page: Int) -> Bool {
    guard let position = numbers.position(of: page), overflowReads[position] < 8 else { return false }
    overflowReads[position] += 1
    return true
  }
}
