/// A format that histories are read from.
///
/// A format from outside stands beside those that are built in (``ImportOptions/formats``): its files are found in folders
/// and archives, told by what is in them, and handed over as UTF-8 where they are UTF-16; records that its reader passes over
/// are reported by their lines.
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
  /// The name, as `--format` takes it.
  var name: String { get }
  /// The name for people: "IRC, as Ubuntu publishes it".
  var title: String { get }

  /// Returns how well a file fits, from 0 (not at all) to 100 (it can be nothing else).
  ///
  /// The format with the most is taken, of equals the one from outside, and none below 30; from 90 on others need not be
  /// asked. What is built in gives a program's own export 85 to 95, and loose tables and JSON with a time and a text 30 to
  /// 60.
  func score(_ sample: FormatSample) -> Int

  /// Creates a reader for a file of this format.
  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader

  /// Returns what a file goes with that lies in exports of this format and has no messages of its own, as half a sentence: `a
  /// Slack export`; `nil` of all others.
  ///
  /// Such a file is not read. Its name alone does not make it one: a topic may be called `groups`. It lies where such exports have
  /// it, or reads as they write it. Where a format is named, that one alone is asked. There is a default: no file is one.
  ///
  /// - Parameters:
  ///   - sample: The beginning of the file.
  ///   - files: All that is imported with it.
  func companion(of sample: FormatSample, beside files: Companions) -> String?
}

extension ImportFormat {
  public func companion(of sample: FormatSample, beside files: Companions) -> String? { nil }
}

/// A format whose histories lie among other files: lists, settings, what was sent.
protocol MultiFileFormat: ImportFormat {
  /// The whole that they all are parts of, as half a sentence: `a Zulip export`.
  var whole: String { get }

  /// Whether a file is one of those without messages.
  func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool
}

extension MultiFileFormat {
  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    isCompanion(sample, beside: files) ? whole : nil
  }
}

/// A format of files to which programs add lines while others read them.
///
/// Its readers go on where they came to the end, and keep no record back for what follows.
protocol GrowingFormat: ImportFormat {}

/// Reads one file, a portion at a time.
public protocol HistoryReader {
  /// Reads records into `sink` until it has enough for now (``RecordSink/isFull``) or the file ends.
  ///
  /// A record that makes no sense goes to ``RecordSink/skip(line:offset:reason:record:)-(_,_,_,String)`` and the rest is read.
  ///
  /// - Returns: Whether there is more.
  /// - Throws: ``InterchangeError`` if the file cannot be read any further.
  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool

  /// Whether what was read shows that the file is an export of the format, even if no record came of it: of such a file
  /// it is not said that nothing could be read.
  var hasSeenItsFormat: Bool { get }

  /// The number of the newest row of a database, behind which the next round of `follow` begins; `nil` of other files, and
  /// where they cannot be read from a row.
  var newestRow: Int64? { get }
}

extension HistoryReader {
  public var hasSeenItsFormat: Bool { false }
  public var newestRow: Int64? { nil }
}

/// The beginning of a file, by which its format is told.
public struct FormatSample {
  /// The number of bytes looked at.
  static let byteCount = 1 << 16

  /// The file's own name.
  public let name: String
  /// The folders it lies in and its own name.
  public let components: [String]
  /// The first bytes, at most 65,536.
  public let bytes: [UInt8]
  /// Whether that is all of the file.
  public let isWhole: Bool
  /// The first lines without their ends, at most 200, empty ones left out; a last one that was cut is not among them.
  public let lines: [ArraySlice<UInt8>]
  /// The number of empty lines between those.
  let blankLineCount: Int
  /// The roles of columns and keys, as the user gave them and else by the usual names.
  let columns: ColumnMap
  /// The name of the format of a program that the file is taken for; `nil` of loose ones, and where none fits.
  var format: String?
  /// Whether the user has named that format.
  var isFormatNamed = false
  /// The names of its tables, if it is a database on the disk: a large one has them far behind its first bytes.
  let tables: Set<String>

  /// Looks at the beginning of `file`.
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

  /// The folders that the file lies in.
  var folder: [String] { Array(components.dropLast()) }

  /// Whether no format of a program fits the file, or this one: such a file may be what goes with its exports.
  func mayGoWith(_ name: String? = nil) -> Bool { format == nil || format == name }

  /// The name of the database whose log the file is by its own name.
  var databaseBeside: String? {
    for ending in ["-wal", "-shm", "-journal"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return nil
  }

  /// Whether the first line is longer than all that is looked at.
  var isFirstLineCut: Bool { !isWhole && !bytes.contains(0x0A) }

  /// Whether there is only a part of the first line, since it is long or still being written, and it begins so.
  func hasCutFirstLine(beginningWith literal: StaticString) -> Bool {
    guard !bytes.contains(0x0A), has(literal, inFirst: literal.utf8CodeUnitCount) else { return false }
    return lines.first.map { line in line.withUnsafeBytes { JSONFields($0) == nil } } ?? true
  }

  /// Whether one of the first lines is a JSON object for which `isOwn` holds.
  func hasRecord(where isOwn: (JSONFields) -> Bool) -> Bool {
    lines.contains { line in line.withUnsafeBytes { JSONFields($0).map(isOwn) ?? false } }
  }

  /// Whether there are JSON objects among the first lines, and `isOwn` holds for all of them.
  func hasOnlyRecords(where isOwn: (JSONFields) -> Bool) -> Bool {
    hasRecord(where: isOwn) && !hasRecord { !isOwn($0) }
  }

  /// Whether there is nothing in the file but empty lines.
  public var isBlank: Bool { isWhole && lines.isEmpty }

  /// Whether `literal` stands in the first `byteCount` bytes.
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

  /// Whether each of these literals stands somewhere in what is looked at.
  func holds(_ literals: StaticString...) -> Bool {
    literals.allSatisfy { has($0, inFirst: Self.byteCount) }
  }

  /// Whether any of these literals stands somewhere in what is looked at.
  func holdsAny(of literals: StaticString...) -> Bool {
    literals.contains { has($0, inFirst: Self.byteCount) }
  }

  /// The part of the first lines for which `fits` holds, from 0 to 100; 0 without any lines.
  public func percent(where fits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    percent(ofAtLeast: 0, where: fits)
  }
}

extension FormatSample {
  /// The part of the first lines for which `fits` holds, from 0 to 100; 0 as soon as it cannot come to `least`.
  func percent(ofAtLeast least: Int, where fits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    guard !lines.isEmpty else { return 0 }
    var fitting = lines.count
    for line in lines where !line.withUnsafeBytes(fits) {
      fitting -= 1
      if fitting * 100 / lines.count < least { return 0 }
    }
    return fitting * 100 / lines.count
  }

  /// The first byte of its text that is no space; no mark of an encoding counts.
  var firstSign: UInt8? { bytes.first { $0 > 0x20 && $0 < 0x80 } }

  /// Whether it begins as an object or a list of JSON.
  var beginsJSON: Bool { firstSign == UInt8(ascii: "[") || firstSign == UInt8(ascii: "{") }
}
