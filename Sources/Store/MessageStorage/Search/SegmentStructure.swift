/// The segments of an FTS5 index: the record with id 10 of its data table. The format is that of SQLite's
/// `fts5_index.c`, "Structure record"; it is part of FTS5's file format and stable. Indexes with
/// `contentless_delete` have another one, which is not supported.
struct SegmentStructure: Equatable {
  struct Segment: Equatable {
    var id: UInt64
    var firstPage: UInt64
    var lastPage: UInt64

    var pageCount: UInt64 { lastPage - firstPage + 1 }
  }

  struct Level: Equatable {
    /// The number of the first segments that are being merged.
    var mergingCount: UInt64 = 0
    var segments: [Segment] = []
  }

  var cookie: [UInt8]
  var writeCount: UInt64
  /// Older segments are in higher levels.
  var levels: [Level]

  /// FTS5's limit of segments, and so of their ids.
  static let limit: UInt64 = 2_000

  /// `nil` for another format.
  init?(_ record: [UInt8]) {
    guard record.count >= 7, record[4] != 0xFF else { return nil }
    cookie = Array(record[..<4])
    var numbers = VarintReader(record[4...])
    guard let levelCount = numbers.next(), let segmentCount = numbers.next(), let writeCount = numbers.next(),
      levelCount <= 64, segmentCount <= Self.limit
    else { return nil }
    self.writeCount = writeCount
    levels = []
    for _ in 0..<levelCount {
      guard let level = Level(&numbers) else { return nil }
      levels.append(level)
    }
    let segments = levels.flatMap(\.segments)
    guard numbers.isAtEnd, segments.count == segmentCount,
      segments.allSatisfy({ 1...Self.limit ~= $0.id && $0.firstPage <= $0.lastPage })
    else { return nil }
  }

  var record: [UInt8] {
    var bytes = cookie
    let segmentCount = levels.reduce(0) { $0 + $1.segments.count }
    for number in [UInt64(levels.count), UInt64(segmentCount), writeCount] { bytes.appendVarint(number) }
    for level in levels {
      bytes.appendVarint(level.mergingCount)
      bytes.appendVarint(UInt64(level.segments.count))
      for segment in level.segments {
        for number in [segment.id, segment.firstPage, segment.lastPage] { bytes.appendVarint(number) }
      }
    }
    return bytes
  }

  var segments: [Segment] { levels.reversed().flatMap(\.segments) }

  var freeID: UInt64? {
    let taken = Set(segments.map(\.id))
    return (1...Self.limit).first { !taken.contains($0) }
  }

  mutating func append(_ segment: Segment) {
    if levels.isEmpty { levels.append(Level()) }
    levels[0].segments.append(segment)
    writeCount += segment.pageCount
  }
}

extension SegmentStructure.Level {
  fileprivate init?(_ numbers: inout VarintReader) {
    guard let mergingCount = numbers.next(), let count = numbers.next(), mergingCount <= count,
      count <= SegmentStructure.limit
    else { return nil }
    self.mergingCount = mergingCount
    for _ in 0..<count {
      guard let id = numbers.next(), let first = numbers.next(), let last = numbers.next() else { return nil }
      segments.append(SegmentStructure.Segment(id: id, firstPage: first, lastPage: last))
    }
  }
}

/// A sequence of SQLite varints (<https://www.sqlite.org/fileformat.html#varint>).
struct VarintReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func next() -> UInt64? {
    var number: UInt64 = 0
    for place in 1...9 {
      guard let byte = bytes.popFirst() else { return nil }
      if place == 9 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return number }
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends a number below 2⁵⁶.
  mutating func appendVarint(_ number: UInt64) {
    let groups = Swift.max((UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7, 1)
    for group in (0..<groups).reversed() {
      append(UInt8(truncatingIfNeeded: number >> UInt64(7 * group)) & 0x7F | (group > 0 ? 0x80 : 0))
    }
  }
}
