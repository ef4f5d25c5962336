/// A format that histories are read from.
///
/// Formats from outside are passed in ``ImportOptions/formats`` beside the built-in ones. Their files are found
/// in folders and archives and detected by their content; readers get UTF-16 as UTF-8. Records that a reader
/// skips are reported with their lines.
///
/// ```swift
/// /// Lines of a time in seconds, a name and a text, with tabs between them.
/// struct TabFormat: ImportFormat {
///   let name = "tabs"
///   let title = "Tabbed lines"
///
///   func score(_ sample: FormatSample) -> Int {
///     sample.percent { line in line.count { $0 == 0x09 } == 2 } >= 50 ? 70 : 0
///   }
///
///   func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
///     TabReader(lines: LineReader(file), encoding: options.fallbackEncoding, conversation: file.name)
///   }
/// }
///
/// struct TabReader: HistoryReader {
///   var lines: LineReader
///   let encoding: FallbackEncoding
///   let conversation: String
///
///   mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
///     while !sink.isFull {
///       switch try lines.next() {
///       case .line(let bytes): take(encoding.string(bytes), into: &sink)
///       case .overlong: sink.skip(line: lines.number, reason: LineReader.overlong)
///       case .end: return false
///       }
///     }
///     return true
///   }
///
///   private func take(_ line: String, into sink: inout RecordSink) {
///     let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
///     guard cells.count == 3, let seconds = UInt32(cells[0]) else {
///       return sink.skip(line: lines.number, reason: "it has no time", record: line)
///     }
///     let message = RichMessage(
///       time: Timestamp(millisecondsSince1970: Int64(seconds) * 1_000), precision: .second, sender: cells[1],
///       text: cells[2])
///     sink.append(message, to: conversation, line: lines.number)
///   }
/// }
/// ```
public protocol ImportFormat: Sendable {
  /// The name that `--format` takes.
  var name: String { get }
  /// The name to show: "IRC, as Ubuntu publishes it".
  var title: String { get }

  /// Returns how well a file fits, from 0 (not at all) to 100 (it can be nothing else).
  ///
  /// The highest score wins, of equal ones a format from outside, and never one below 30; a score from 90 on
  /// ends the search. Built-in formats give a program's own export 85 to 95, and loose tables and JSON with a
  /// time and a text 30 to 60.
  func score(_ sample: FormatSample) -> Int

  /// Creates a reader for a file of this format.
  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader

  /// Returns what a file without messages belongs to, as a noun: `a Slack export`; `nil` if it does not
  /// belong to an export of this format.
  ///
  /// Such a file is not read. Its name alone is not enough, since a topic may be called `groups`: it must lie
  /// where such exports have it, or look like what they write. If the user names a format, only that one is
  /// asked. The default implementation returns `nil`.
  ///
  /// - Parameters:
  ///   - sample: The beginning of the file.
  ///   - files: All files of the import.
  func companion(of sample: FormatSample, beside files: Companions) -> String?
}

extension ImportFormat {
  public func companion(of sample: FormatSample, beside files: Companions) -> String? { nil }
}

/// A format whose exports also contain files without messages: lists, settings, uploads.
protocol MultiFileFormat: ImportFormat {
  /// The export as a noun: `a Zulip export`.
  var whole: String { get }

  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool
}

extension MultiFileFormat {
  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    isCompanion(sample, beside: files) ? whole : nil
  }
}

/// A format of files that programs append to while others read them. Its readers continue after reaching the
/// end, and hold no record back for what follows.
protocol GrowingFormat: ImportFormat {}

/// Reads one file, a portion at a time.
public protocol HistoryReader {
  /// Reads records into `sink` until it has enough for now (``RecordSink/isFull``) or the file ends.
  ///
  /// A malformed record is passed to ``RecordSink/skip(line:offset:reason:record:)-(_,_,_,String)``, and
  /// reading continues.
  ///
  /// - Returns: Whether more remains.
  /// - Throws: ``InterchangeError`` if the file cannot be read further.
  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool

  /// Whether the file proved to be an export of the format, even if it holds no record. Such a file is not
  /// reported as unreadable.
  var hasSeenItsFormat: Bool { get }

  /// The newest row of a database, after which the next round of `follow` begins; `nil` for other files and
  /// for databases that cannot be read from a row on.
  var newestRow: Int64? { get }
}

extension HistoryReader {
  public var hasSeenItsFormat: Bool { false }
  public var newestRow: Int64? { nil }
}

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
  /// The first lines without their ends, at most 200, without empty ones and a last one that was cut.
  public let lines: [ArraySlice<UInt8>]
  let blankLineCount: Int
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
    bytes = Array(peeked)
    isWhole = peeked.count < Self.byteCount
    tables = bytes.starts(with: SQLiteFile.magic) ? file.diskPath.map(SQLiteFile.tables) ?? [] : []
    (lines, blankLineCount) = Self.lines(of: bytes, isWhole: isWhole)
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

  var isFirstLineCut: Bool { !isWhole && !bytes.contains(0x0A) }

  /// Whether only a part of the first line is there, long or still being written, and begins so.
  func hasCutFirstLine(beginningWith literal: StaticString) -> Bool {
    guard !bytes.contains(0x0A), has(literal, inFirst: literal.utf8CodeUnitCount) else { return false }
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

  /// Whether `literal` occurs in the first `byteCount` bytes.
  public func has(_ literal: StaticString, inFirst byteCount: Int = 16_384) -> Bool {
    bytes.withUnsafeBytes { bytes in
      let start = bytes.first(min(bytes.count, byteCount))
      var position = start.position(of: literal.utf8Start.pointee)
      while let found = position {
        if start.has(literal, at: found) { return true }
        position = start.position(of: literal.utf8Start.pointee, from: found + 1)
      }
      return false
    }
  }

  func holds(_ literals: StaticString...) -> Bool {
    literals.allSatisfy { has($0, inFirst: Self.byteCount) }
  }

  func holdsAny(of literals: StaticString...) -> Bool {
    literals.contains { has($0, inFirst: Self.byteCount) }
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
