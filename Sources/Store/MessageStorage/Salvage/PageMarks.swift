struct PageMarks {
  enum Mark: Int, CaseIterable {
    /// A tree leads to it, and its rows are of that tree.
    case reached
    /// It is in the list of free pages.
    case free
    /// It continues a record.
    case overflow
    /// Some of its content is unreadable.
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

  /// Whether a page may be read again as the continuation of a record. Damage may lead several records to it,
  /// but reading must end.
  mutating func mayReadOverflow(_ page: Int) -> Bool {
    guard let position = numbers.position(of: page), overflowReads[position] < 8 else { return false }
    overflowReads[position] += 1
    return true
  }
}
