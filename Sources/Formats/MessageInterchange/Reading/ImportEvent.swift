public import MessageModel

/// An event of an ``ImportReader``, in the input's order.
public enum ImportEvent: Sendable {
  /// A file begins; later batches contain its messages.
  case file(ImportedFile)
  /// Messages.
  case batch(ImportedMessages)
  /// A record or file was skipped.
  case skipped(SkippedRecord)
}

/// A file that is being read.
public struct ImportedFile: Hashable, Sendable {
  /// Its number among the files of this import, from 0; ``ImportedMessages/Run/file`` refers to it.
  public var index: Int
  /// The path to show: `logs.tar.xz:perl6/2005/2005-02-26`.
  public var path: String
  /// The name of its format, as `--format` takes it.
  public var format: String
  /// The name of its format to show.
  public var formatTitle: String
  /// The folders in which files that it names may lie; `nil` if no files can lie beside it.
  public var surroundings: FileSurroundings?

  /// Creates the description of a file.
  public init(
    index: Int, path: String, format: String, formatTitle: String, surroundings: FileSurroundings? = nil
  ) {
    self.surroundings = surroundings
    self.index = index
    self.path = PathBytes.shown(path)
    self.format = format
    self.formatTitle = formatTitle
  }
}

/// Messages of one or more files, in their order.
public struct ImportedMessages: Sendable {
  /// The messages.
  public var entries: ImportBatch
  /// The runs of entries from one file each, in order; they cover all entries.
  public var runs: [Run]
  /// The settings in the files, in order. Imports come before the messages, all others after them.
  package internal(set) var settings: [ImportedSetting] = []
  /// Whether the batch begins a file that contains a whole store.
  package internal(set) var beginsStore = false

  /// Neighbouring entries from one file. Only within a run does the order say which was written first.
  public struct Run: Hashable, Sendable {
    /// ``ImportedFile/index``.
    public var file: Int
    /// The indices of the entries.
    public var entries: Range<Int>
    /// Whether it continues the last run of the previous batch, from the same file.
    public var isContinuation: Bool

    /// Creates a run.
    public init(file: Int, entries: Range<Int>, isContinuation: Bool = false) {
      self.file = file
      self.entries = entries
      self.isContinuation = isContinuation
    }
  }

  /// Creates a batch.
  public init(entries: ImportBatch, runs: [Run]) {
    self.entries = entries
    self.runs = runs
  }

  /// Whether its first entries continue the last file of the previous batch.
  public var isContinuation: Bool { runs.first?.isContinuation ?? false }
}

/// A setting of a store, with the place it was read from.
package struct ImportedSetting: Hashable, Sendable {
  package var setting: StoreSetting
  package var file: Int
  var path: String
  var line: Int
  var record: [UInt8]

  /// The report that the setting was skipped.
  package func skipped(_ reason: String) -> SkippedRecord {
    SkippedRecord(.record, path: path, line: line, reason: reason, record: record)
  }
}

/// A record, or a whole file, that could not be imported.
public struct SkippedRecord: Hashable, Sendable {
  /// How much was skipped.
  public enum Scope: Hashable, Sendable {
    /// One record of a file; the rest was read.
    case record
    /// A file, or the rest of one.
    case file
    /// A file whose omission loses nothing: it is empty, or a picture or the like beside histories.
    case ignored
  }

  /// How much was skipped.
  public var scope: Scope
  /// The path to show.
  public var path: String
  /// The line, from 1; `nil` for whole files and formats without lines.
  public var line: Int?
  /// The record's offset in bytes, in formats without lines.
  public var offset: Int64?
  /// The reason, as a clause.
  public var reason: String
  /// The way out, if ``reason`` does not state one.
  public var remedy: Remedy?
  /// The record as in the file, at most the first 64 KiB; for a file, its first lines.
  public var record: [UInt8]
  /// Whether no format recognises the file; ``record`` holds its beginning.
  package private(set) var isUnknown = false
  /// The number of records skipped one by one before the whole file turned out to be something else. This
  /// report replaces theirs.
  package internal(set) var recordCount = 0

  /// Creates the report of a skipped record.
  public init(
    _ scope: Scope, path: String, line: Int? = nil, offset: Int64? = nil, reason: String, record: [UInt8] = []
  ) {
    self.scope = scope
    self.path = PathBytes.shown(path)
    self.line = line
    self.offset = offset
    self.reason = reason
    self.record = record
  }

  init(unknown path: String, start: [UInt8]) {
    self.init(.file, path: path, reason: "not a known format", record: start)
    isUnknown = true
  }

  /// Place, reason and way out, without any program's commands: `family.jsonl:812: no time`.
  public var description: String { description(in: \.description) }

  /// The description with the way out in a surface's words.
  ///
  /// - Parameter words: Says a way out in that surface's words.
  package func description(in words: (Remedy) -> String) -> String {
    let reason = reason(in: words)
    let path = VisibleText.of(path, keepsTabs: false)
    if let line { return "\(path):\(line): \(reason)" }
    if let offset { return "\(path): at byte \(offset): \(reason)" }
    return "\(path): \(reason)"
  }

  /// The reason, and the way out in a surface's words.
  package func reason(in words: (Remedy) -> String) -> String {
    remedy.map { "\(reason) (\(words($0)))" } ?? reason
  }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The number of input bytes read; archives count as stored.
  public var doneByteCount: Int64
  /// The size of the input in bytes; `nil` if standard input or a pipe is part of it.
  public var totalByteCount: Int64?
  /// The number of files for which a format was found.
  public var fileCount: Int
  /// The number of messages read.
  public var messageCount: Int
  /// The number of records skipped, without whole files.
  public var skippedRecordCount: Int
  /// The number of files skipped because no format recognised them or they could not be read.
  public var skippedFileCount: Int
  /// The number of attached files stored, after all messages.
  public var takenFileCount = 0
  package var settingCount = 0
}
