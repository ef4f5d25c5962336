/// The beginning of a file, from which its format is detected.
public struct FormatSample {
  static let byteCount = 1 << 16

  /// The file's name without folders.
  public let name: String
  /// The folders it lies in and its own name.
  public let components: [String]
  /// The first bytes, at most 65,536.
  public let bytes: [UInt8]
  /// Whether ``bytes`` is the whole file.
  public let isWhole: Bool
  /// The first lines without their ends, at most 200. Empty lines and an incomplete last line are left out. In
  /// long JSON, long strings are cut and long lists end early.
  public private(set) var lines: [ArraySlice<UInt8>]
  private(set) var blankLineCount: Int
  /// The keys and short values of long JSON; empty for other files.
  private var abridged: [UInt8]
  let columns: ColumnMap
  /// The program's format that the file is taken for; `nil` for loose formats and unknown files.
  var format: String?
  var isFormatNamed = false
  /// The names of the tables of a database on disk; in a large one they lie far beyond the first bytes.
  let tables: Set<String>

  init(_ file: InputFile, columns: ColumnMap = ColumnMap()) throws(InterchangeError) {
    self.columns = columns
    name = file.name
    components = file.components
    let peeked = try file.source.peek(Self.byteCount)
    let start = Array(peeked)
    bytes = start
    isWhole = peeked.count < Self.byteCount
    tables = bytes.starts(with: SQLiteFile.magic) ? file.diskPath.map(SQLiteFile.tables) ?? [] : []
    let isLong = start.count > Self.usualByteCount && JSONAbridgement.fits(start)
    let shortened = isLong ? JSONAbridgement(of: start).text : []
    abridged = shortened
    (lines, blankLineCount) = Self.lines(of: isLong ? shortened : start, isWhole: isWhole)
  }

  /// What of the first bytes ``has(_:inFirst:)`` looks at.
  static let usualByteCount = 1 << 14

  /// The first bytes, in long JSON without long strings and the rest of long lists.
  var text: [UInt8] { abridged.isEmpty ? bytes : abridged }

  /// Looks at JSON beyond the first bytes, until the keys of its first records are known: at 64 MB of a file,
  /// and at 6 MB of an archive or a pipe, whose bytes are kept for the reader.
  ///
  /// - Returns: Whether there is more to tell the format by.
  mutating func lookFurther(in file: InputFile) throws(InterchangeError) -> Bool {
    guard !isWhole, !abridged.isEmpty else { return false }
    var abridgement = JSONAbridgement()
    try file.source.survey(JSONStream.bound) { bytes in
      abridgement.take(bytes)
      return abridgement.isFull
    }
    guard abridgement.text.count > abridged.count else { return false }
    abridged = abridgement.text
    (lines, blankLineCount) = Self.lines(of: abridged, isWhole: false)
    return true
  }

  private static func lines(of bytes: [UInt8], isWhole: Bool) -> ([ArraySlice<UInt8>], Int) {
    var lines: [ArraySlice<UInt8>] = []
    var blankLineCount = 0
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, lines.count < 200 {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      if end == bytes.count, !isWhole, !lines.isEmpty { break }
      var line = bytes[start..<end]
      if line.last == 0x0D { line.removeLast() }
      if line.contains(where: { $0 != 0x20 }) { lines.append(line) } else { blankLineCount += 1 }
      start = end + 1
    }
    return (lines, blankLineCount)
  }

  var folder: [String] { Array(components.dropLast()) }

  /// Whether the file fits no program's format, or only this one: it may be a companion of its exports.
  func mayGoWith(_ name: String? = nil) -> Bool { format == nil || format == name }

  /// The database whose log this is by its name (`-wal`, `-shm`, `-journal`).
  var databaseBeside: String? {
    for ending in ["-wal", "-shm", "-journal"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return nil
  }

  var isFirstLineCut: Bool { !isWhole && !text.contains(0x0A) }

  /// Whether only a part of the first line is there, long or still being written, and begins so.
  func hasCutFirstLine(beginningWith literal: StaticString) -> Bool {
    guard !text.contains(0x0A), has(literal, inFirst: literal.utf8CodeUnitCount) else { return false }
    return lines.first.map { line in line.withUnsafeBytes { JSONFields($0) == nil } } ?? true
  }

  func hasRecord(where isOwn: (JSONFields) -> Bool) -> Bool {
    lines.contains { line in line.withUnsafeBytes { JSONFields($0).map(isOwn) ?? false } }
  }

  /// Whether the first lines contain JSON objects and `isOwn` holds for each of them.
  func hasOnlyRecords(where isOwn: (JSONFields) -> Bool) -> Bool {
    hasRecord(where: isOwn) && !hasRecord { !isOwn($0) }
  }

  /// Whether the file contains only empty lines.
  public var isBlank: Bool { isWhole && lines.isEmpty }

  /// Whether `literal` occurs in the first `byteCount` bytes or, in long JSON, among the keys and short values
  /// of its first records.
  public func has(_ literal: StaticString, inFirst byteCount: Int = 16_384) -> Bool {
    contains(inFirst: byteCount) { $0.position(of: literal) != nil }
  }

  /// Whether a key, or a short string, of JSON occurs there.
  func hasKey(_ key: StaticString, inFirst byteCount: Int) -> Bool {
    contains(inFirst: byteCount) { $0.hasQuoted(key) }
  }

  private func contains(inFirst byteCount: Int, where fits: (Bytes) -> Bool) -> Bool {
    func fit(_ bytes: [UInt8], _ count: Int) -> Bool {
      bytes.withUnsafeBytes { fits($0.first(min($0.count, count))) }
    }
    let isWide = byteCount >= Self.usualByteCount
    return fit(bytes, byteCount) || fit(abridged, isWide ? abridged.count : byteCount)
  }

  /// The percentage of the first lines for which `fits` holds; 0 without lines.
  public func percent(where fits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    percent(ofAtLeast: 0, where: fits)
  }
}

extension FormatSample {
  func percent(ofAtLeast least: Int, where fits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    guard !lines.isEmpty else { return 0 }
    var fitting = lines.count
    for line in lines where !line.withUnsafeBytes(fits) {
      fitting -= 1
      if fitting * 100 / lines.count < least { return 0 }
    }
    return fitting * 100 / lines.count
  }

  var firstSign: UInt8? { bytes.first { $0 > 0x20 && $0 < 0x80 } }

  var beginsJSON: Bool { firstSign == UInt8(ascii: "[") || firstSign == UInt8(ascii: "{") }
}

extension InputFile {
  /// Whether the first line is an object with a key, however long the line is.
  func beginsWithRecord(having key: String) -> Bool {
    guard var sample = try? FormatSample(self) else { return false }
    if sample.isFirstLineCut { _ = try? sample.lookFurther(in: self) }
    return sample.lines.first?.withUnsafeBytes { JSONFields($0)?[key] != nil } ?? false
  }
}
