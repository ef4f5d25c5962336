internal import MessageModel

/// The page numbers of a file, and of a log beyond the file's end.
///
/// A damaged log may name any page: memory must grow with the number of pages, not with the greatest number.
struct PageNumbers: RandomAccessCollection {
  private let inFile: Int
  private let beyond: [Int]

  init(inFile: Int, ofLog pages: some Sequence<Int>) {
    self.inFile = inFile
    beyond = pages.filter { $0 > inFile }.sorted()
  }

  var startIndex: Int { 0 }
  var endIndex: Int { inFile + beyond.count }
  subscript(position: Int) -> Int { position < inFile ? position + 1 : beyond[position - inFile] }

  func position(of page: Int) -> Int? {
    if page <= inFile { return page >= 1 ? page - 1 : nil }
    let index = beyond.partitioningIndex { $0 >= page }
    return index < beyond.count && beyond[index] == page ? inFile + index : nil
  }
}
