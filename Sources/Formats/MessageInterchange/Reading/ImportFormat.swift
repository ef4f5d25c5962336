/// A format that histories are read from.
///
/// Formats from outside are passed in ``ImportOptions/formats`` beside the built-in ones. Their files are found
/// in folders and archives and detected by their content. A reader gets a file in UTF-16 as UTF-8. The records
/// that it skips are reported with their lines.
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
  /// Whether a program appends lines to such a file, as to a log.
  ///
  /// If so, following a history reads new lines as soon as they are complete, each once; other files are read
  /// when they have not changed for two seconds, and again from the beginning. A reader that has returned
  /// `false` is asked again when there are more lines, which its ``LineReader`` then returns. The default
  /// implementation returns `false`.
  var growsByLines: Bool { get }

  /// Returns how well a file fits, from 0 (not at all) to 100 (it can be nothing else).
  ///
  /// The format with the highest score reads the file: of equal scores, a format from outside. A score below 30
  /// never wins, and one of 90 or more ends the search. Built-in formats give a program's own export 85 to 95,
  /// and tables and generic JSON with a time and a text 30 to 60.
  func score(_ sample: FormatSample) -> Int

  /// Creates a reader for a file of this format.
  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader

  /// Returns the export that a file without messages belongs to, as a noun (`a Slack export`); `nil` if it does
  /// not belong to an export of this format.
  ///
  /// Such a file is not read. Its name alone is not enough, since a topic may be called `groups`: it must lie
  /// where such exports have it, or look like what they write. If the user names a format, only this method of
  /// that format is called. The default implementation returns `nil`.
  ///
  /// - Parameters:
  ///   - sample: The beginning of the file.
  ///   - files: All files of the import.
  func companion(of sample: FormatSample, beside files: Companions) -> String?
}

extension ImportFormat {
  public var growsByLines: Bool { false }

  public func companion(of sample: FormatSample, beside files: Companions) -> String? { nil }
}

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
