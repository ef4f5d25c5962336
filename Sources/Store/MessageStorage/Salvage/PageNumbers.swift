internal import MessageModel

/// The numbers of the pages that there are: those of a file, and those beyond its end that a log has.
///
/// A log may name any page, and be made up: what is kept for each page grows with the pages that there are, not with the
/// greatest number.
struct PageNumbers: RandomAccessCollection {
  private let inFile: Int
  /// In their order.
  private let beyond: [Int]

  init(inFile: Int, ofLog pages: some Sequence<Int>) {
    self.inFile = inFile
    beyond = pages.filter { $0 > inFile }.sorted()
  }

  var startIndex: Int { 0 }
  var endIndex: Int { inFile + beyond.count }
  subscript(position: Int) -> Int { position < inFile ? position + 1 : beyond[position - inFile] }

  /// Returns where the number of a page stands; `nil` if there is no such page.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of pages beyond the end of the file.
  func position(of page: Int) -> Int? {
    if page <= inFile { return page >= 1 ? page - 1 : nil }
    let index = beyond.partitioningIndex { $0 >= page }
    return index < beyond.count && beyond[index] == page ? inFile + index : nil
  }
}
