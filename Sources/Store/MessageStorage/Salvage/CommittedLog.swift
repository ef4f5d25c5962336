/// The committed pages of a log (`-wal`), each at its newest place
/// (<https://sqlite.org/fileformat2.html#the_write_ahead_log>). SQLite stops at the first damaged frame. Here
/// only that frame is skipped: later ones can be verified, since checksums continue from frame to frame.
struct CommittedLog {
  let file: ReadFile
  let pageSize: Int
  private(set) var damagedFrameCount = 0
  private var transactionCountBehindDamage = 0
  private let hasWholeHeader: Bool
  private var places: [UInt32: Int] = [:]

  private static let headerByteCount = 32
  private static let frameHeaderByteCount = 24

  init?(_ file: ReadFile) {
    self.init(of: file)
    if !hasWholeHeader || places.isEmpty { return nil }
  }

  /// Returns the number of transactions after the first damaged frame, which SQLite ignores. Transactions of
  /// an earlier run of the log have other salts and are not counted.
  static func transactionCountBehindDamage(in file: ReadFile) -> Int {
    Self(of: file)?.transactionCountBehindDamage ?? 0
  }

  private init?(of file: ReadFile) {
    guard let header = file.bytes(at: 0, count: Self.headerByteCount), header.count == Self.headerByteCount,
      header.bigEndian(at: 0) & ~1 == 0x377F_0682
    else { return nil }
    let size = Int(header.bigEndian(at: 8))
    guard DatabaseHeader.pageSizes.contains(size) else { return nil }
    let isBigEndian = header.bigEndian(at: 0) & 1 == 1
    var start = LogChecksum()
    start.add(header[..<24], isBigEndian: isBigEndian)
    hasWholeHeader = start == LogChecksum(header, at: 24)
    self.file = file
    pageSize = size
    // With a damaged header SQLite ignores the whole log; its first frame has the salts.
    guard
      let first = hasWholeHeader
        ? header : file.bytes(at: Self.headerByteCount, count: Self.frameHeaderByteCount),
      first.count >= Self.frameHeaderByteCount
    else { return }
    readFrames(salts: hasWholeHeader ? first[16..<24] : first[8..<16], start, isBigEndian: isBigEndian)
  }

  private mutating func readFrames(
    salts: ArraySlice<UInt8>, _ start: LogChecksum, isBigEndian: Bool
  ) {
    let step = Self.frameHeaderByteCount + pageSize
    var (before, pending, damaged) = (start, [(page: UInt32, place: Int)](), 0)
    var isBehindDamage = !hasWholeHeader
    for index in 0..<max(0, (file.byteCount - Self.headerByteCount) / step) {
      let place = Self.headerByteCount + index * step
      guard let frame = file.bytes(at: place, count: step), frame.count == step else { return }
      var sum = before
      sum.add(frame[..<8], isBigEndian: isBigEndian)
      sum.add(frame[Self.frameHeaderByteCount...], isBigEndian: isBigEndian)
      before = LogChecksum(frame, at: 16)
      guard frame[8..<16].elementsEqual(salts) else {
        isBehindDamage = true
        continue
      }
      let page = frame.bigEndian(at: 0)
      guard sum == before, page > 0 else {
        damaged += 1
        isBehindDamage = true
        continue
      }
      pending.append((page, place + Self.frameHeaderByteCount))
      let isCommit = frame.bigEndian(at: 4) > 0
      guard isCommit else { continue }
      if isBehindDamage { transactionCountBehindDamage += 1 }
      for (page, place) in pending { places[page] = place }
      pending.removeAll(keepingCapacity: true)
      damagedFrameCount += damaged
      damaged = 0
    }
  }

  var pages: some Collection<Int> { places.keys.lazy.map(Int.init) }

  /// Returns a page's offset in the log; `nil` if the file's page is current.
  func place(of page: Int) -> Int? { UInt32(exactly: page).flatMap { places[$0] } }
}

private struct LogChecksum: Equatable {
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init() {}

  init(_ bytes: [UInt8], at offset: Int) {
    (first, second) = (bytes.bigEndian(at: offset), bytes.bigEndian(at: offset + 4))
  }

  mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    bytes.withUnsafeBytes { raw in
      for offset in stride(from: 0, to: raw.count - raw.count % 8, by: 8) {
        first &+= Self.word(raw, offset, isBigEndian) &+ second
        second &+= Self.word(raw, offset + 4, isBigEndian) &+ first
      }
    }
  }

  private static func word(_ raw: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool) -> UInt32 {
    let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}
