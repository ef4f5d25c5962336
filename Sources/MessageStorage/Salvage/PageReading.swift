internal import Foundation
internal import MessageModel

/// The pages of a database file as it was committed last, read without SQLite, which refuses what is damaged.
///
/// Nothing is locked and nothing is written. Of each page the newest commit in the log beside the file counts
/// (<https://sqlite.org/fileformat2.html>).
final class PageReading {
  let pageSize: Int
  /// The number of pages, a last one that was cut off included.
  let pageCount: Int
  /// What is the matter with the file or its log, as sentences.
  private(set) var notes: [String] = []
  /// The number of pages that the disk did not give.
  private(set) var failureCount = 0

  private let file: ReadFile
  private let log: CommittedLog?

  /// The sizes that pages can have.
  static let pageSizes = (9...16).map { 1 << $0 }

  /// Opens a file.
  ///
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notPermitted`, `notAStore`, `inputOutput`.
  init(_ store: StoreFile, doing: String) throws(StoreError) {
    try store.checkKinds(doing: doing)
    file = try ReadFile(store.path, doing: doing)
    let logFile = try? ReadFile(store.path + "-wal", doing: doing)
    let header = PageHeader(file.bytes(at: 0, count: PageHeader.byteCount) ?? [])
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
    pageCount = max(whole + (rest > 0 ? 1 : 0), log?.greatestPage ?? 0)
    if rest > 0 { notes.append("its last page is cut off") }
    if let count = log?.damagedFrameCount, count > 0 {
      notes.append(
        "\(count) of the pages in its log are damaged: what was there before was read in their place")
    }
  }

  /// Returns a page, from 1; `nil` if it is not there. What is cut off is zero.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
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

/// A file that is only read, by places.
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

  /// Returns bytes, fewer at the end of the file; `nil` if the disk does not give them.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    let wanted = max(0, min(count, byteCount - offset))
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let count = pread(descriptor, room.baseAddress, wanted - filled, off_t(offset + filled))
        if count < 0, errno == EINTR { continue }
        if count < 0 { hasFailed = true }
        guard count > 0 else { return }
        filled += count
      }
    }
    return hasFailed ? nil : bytes
  }
}

/// What the first hundred bytes of a database say, as far as it matters for reading its pages.
struct PageHeader {
  static let byteCount = 100

  var pageSize: Int?
  var firstFreePage: Int
  var freePageCount: Int
  var applicationID: Int32

  /// Reads a header; `nil` if it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = PageReading.pageSizes.first { $0 == (size == 1 ? 65_536 : size) }
    firstFreePage = Int(bytes.bigEndian(at: 32))
    freePageCount = Int(bytes.bigEndian(at: 36))
    applicationID = Int32(bitPattern: bytes.bigEndian(at: 68))
  }
}

extension [UInt8] {
  /// Returns the four bytes at an offset within it as a number, the highest first.
  func bigEndian(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}
