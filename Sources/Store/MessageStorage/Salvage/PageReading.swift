internal import Foundation
internal import MessageModel

/// The committed pages of a database file (<https://sqlite.org/fileformat2.html>), read without SQLite, which
/// refuses damaged files. Nothing is locked or written. A page's newest commit in the log takes precedence.
final class PageReading {
  let pageSize: Int
  /// Includes a truncated last page.
  let numbers: PageNumbers
  private(set) var notes: [String] = []
  private(set) var failureCount = 0

  private let file: ReadFile
  private let log: CommittedLog?

  init(_ store: StoreFile, doing: String) throws(StoreError) {
    try store.checkKinds(doing: doing)
    file = try ReadFile(store.path, doing: doing)
    let logFile = try? ReadFile(store.path + "-wal", doing: doing)
    let header = DatabaseHeader(file.bytes(at: 0, count: DatabaseHeader.byteCount) ?? [])
    if let header, header.isOfStore { try Schema.refuseEarlier(header.version, doing: doing) }
    let found = logFile.flatMap(CommittedLog.init)
    let guess = PageSizeGuess(file, stated: header?.pageSize, ofLog: found?.pageSize)
    pageSize = guess.size
    if let found, found.pageSize != guess.size {
      notes.append("the log beside it has pages of another size: it is another file's, and was left alone")
      log = nil
    } else {
      log = found
    }
    let (whole, rest) = file.byteCount.quotientAndRemainder(dividingBy: pageSize)
    let inLog = log.map { Array($0.pages) } ?? []
    numbers = PageNumbers(inFile: whole + (rest > 0 ? 1 : 0), ofLog: inLog)
    if rest > 0 { notes.append("its last page is cut off") }
    if let count = log?.damagedFrameCount, count > 0 {
      notes.append(
        "\(count) of the pages in its log are damaged: what was there before was read in their place")
    }
  }

  /// - Parameter number: From 1. A truncated page is filled with zeros.
  func page(_ number: Int) -> [UInt8]? {
    guard numbers.position(of: number) != nil else { return nil }
    if let place = log?.place(of: number), let bytes = log?.file.bytes(at: place, count: pageSize),
      bytes.count == pageSize
    {
      return bytes
    }
    guard var bytes = file.bytes(at: (number - 1) * pageSize, count: pageSize) else {
      failureCount += 1
      return nil
    }
    guard !bytes.isEmpty else { return nil }
    if bytes.count < pageSize { bytes += [UInt8](repeating: 0, count: pageSize - bytes.count) }
    return bytes
  }
}

final class ReadFile {
  let byteCount: Int
  private let descriptor: Int32

  init(_ path: String, doing: String) throws(StoreError) {
    guard let descriptor = ContentFile.open(path) else {
      if errno == ENOENT {
        throw StoreError(.noSuchStore, doing, cause: "there is no such file")
      }
      throw StoreError(errno: errno, doing)
    }
    self.descriptor = descriptor
    byteCount = Int(stat(descriptor: descriptor)?.st_size ?? 0)
  }

  deinit { close(descriptor) }

  /// `nil` after a read error; fewer bytes at the end of the file.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    RandomRead.bytes(of: descriptor, at: offset, count: min(count, byteCount - offset))
  }
}

/// The page numbers of a file, and of a log beyond the file's end. A damaged log may name any page: memory
/// must grow with the number of pages, not with the greatest number.
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

/// Guesses a file's page size from its pages, since the header may be damaged.
struct PageSizeGuess {
  private(set) var size = 4_096

  private static let sampleCount = 64

  init(_ file: ReadFile, stated: Int?, ofLog log: Int?) {
    var best = 0
    // Among equals the stated size wins.
    for candidate in ([stated, log].compactMap { $0 } + [4_096] + DatabaseHeader.pageSizes) {
      let score = Self.score(of: candidate, file)
      if score > best { (best, size) = (score, candidate) }
    }
    if best == 0, let said = stated ?? log { size = said }
  }

  /// The percentage of sampled pages that are well-filled B-tree pages.
  private static func score(of size: Int, _ file: ReadFile) -> Int {
    let count = file.byteCount / size
    guard count > 0 else { return 0 }
    let samples = min(count, sampleCount)
    var sound = 0
    for index in 0..<samples {
      let number = index * (count - 1) / max(samples - 1, 1)
      guard let bytes = file.bytes(at: number * size, count: size), bytes.count == size,
        let page = TreePage(number: number + 1, bytes: bytes), page.isWellFilled
      else { continue }
      sound += 1
    }
    return sound * 100 / samples
  }
}
