final class PageSource {
  let pages: PageReading
  var marks: PageMarks
  /// Whether the list of free pages was readable to its end, so that all other pages were in use.
  private(set) var knowsFreePages = false
  private let progress: () throws -> Void

  init(_ pages: PageReading, progress: @escaping () throws -> Void) {
    self.pages = pages
    self.progress = progress
    marks = PageMarks(pages.numbers)
    readFreePages()
  }

  func treePage(_ number: Int) throws -> TreePage? {
    try progress()
    return pages.page(number).flatMap { TreePage(number: number, bytes: $0) }
  }

  func record(of cell: TreePage.Cell, on page: TreePage, _ isWanted: (TreeRecord) -> Bool) -> TreeRecord? {
    let local = Array(page.bytes[cell.local])
    guard let next = cell.overflow else {
      return TreeRecord(local, rowID: cell.rowID).flatMap { isWanted($0) ? $0 : nil }
    }
    // The head is checked before overflow pages are followed.
    guard let head = TreeRecord(local, rowID: cell.rowID, isWhole: false), isWanted(head),
      let bytes = followed(from: next, local, count: cell.byteCount)
    else { return nil }
    return TreeRecord(bytes, rowID: cell.rowID).flatMap { isWanted($0) ? $0 : nil }
  }

  private func followed(from first: Int, _ local: [UInt8], count: Int) -> [UInt8]? {
    let room = pages.pageSize - 4
    guard (count - local.count) / room <= pages.numbers.count else { return nil }
    var (bytes, next, met) = (local, first, [Int]())
    while bytes.count < count {
      guard !marks.has(.reached, next), marks.mayReadOverflow(next), let page = pages.page(next) else {
        return nil
      }
      met.append(next)
      bytes += page[4..<4 + min(room, count - bytes.count)]
      next = Int(page.bigEndian(at: 0))
    }
    for page in met { marks.set(.overflow, page) }
    return bytes
  }

  /// Reads <https://sqlite.org/fileformat2.html#the_freelist>.
  private func readFreePages() {
    guard let header = pages.page(1).flatMap({ DatabaseHeader($0) }) else { return }
    var (trunk, count, seen) = (header.firstFreePage, 0, 0)
    while trunk != 0 {
      guard seen <= pages.numbers.count, !marks.has(.free, trunk), let page = pages.page(trunk) else {
        return forgetFree()
      }
      let leaves = Int(page.bigEndian(at: 4))
      guard leaves <= pages.pageSize / 4 - 2 else { return forgetFree() }
      marks.set(.free, trunk)
      for index in 0..<leaves {
        let leaf = Int(page.bigEndian(at: 8 + 4 * index))
        guard marks.contains(leaf), !marks.has(.free, leaf) else { return forgetFree() }
        marks.set(.free, leaf)
      }
      (count, seen) = (count + leaves + 1, seen + 1)
      trunk = Int(page.bigEndian(at: 0))
    }
    guard count == header.freePageCount else { return forgetFree() }
    knowsFreePages = true
  }

  /// A list that contradicts itself may name pages in use.
  private func forgetFree() { marks.clear(.free) }
}

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

  /// Whether a page may continue one more record: damage may lead several to it, but reading must end.
  mutating func mayReadOverflow(_ page: Int) -> Bool {
    guard let position = numbers.position(of: page), overflowReads[position] < 8 else { return false }
    overflowReads[position] += 1
    return true
  }
}
