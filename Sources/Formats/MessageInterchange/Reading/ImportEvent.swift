public import MessageModel

/// An event of an ``ImportReader``, in the order of the input.
public enum ImportEvent: Sendable {
  /// A file begins; its messages come in the batches after this.
  case file(ImportedFile)
  /// Messages.
  case batch(ImportedMessages)
  /// Something was passed over.
  case skipped(SkippedRecord)
}

/// A file that is being read.
public struct ImportedFile: Hashable, Sendable {
  /// Its number among the files of this import, from 0: what ``ImportedMessages/Run`` names it by.
  public var index: Int
  /// Its path for people: `logs.tar.xz:perl6/2005/2005-02-26`.
  public var path: String
  /// The name of its format, as `--format` takes it.
  public var format: String
  /// The name of its format for people.
  public var formatTitle: String
  /// The folders in which the files that it names may lie; `nil` where there can be none beside it.
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
  /// The runs of entries that come from one file: they follow each other and cover all entries.
  public var runs: [Run]
  /// What the files say besides, in its order: imports are known before the messages, all else is behind them.
  package internal(set) var settings: [ImportedSetting] = []
  /// Whether a file begins with it that is all of a store.
  package internal(set) var beginsStore = false

  /// Neighbouring entries that come from one file. Only between these does the order say which was written first.
  public struct Run: Hashable, Sendable {
    /// ``ImportedFile/index``.
    public var file: Int
    /// The indices of the entries.
    public var entries: Range<Int>
    /// Whether it goes on from the last run of the batch before, which came from the same file.
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

  /// Whether its first entries go on with the last file of the batch before.
  public var isContinuation: Bool { runs.first?.isContinuation ?? false }
}

/// A setting of a store, where it stands.
package struct ImportedSetting: Hashable, Sendable {
  package var setting: StoreSetting
  /// ``ImportedFile/index``.
  package var file: Int
  /// The path of the file, for people.
  var path: String
  var line: Int
  /// The record as it stands there, at most its first 64 KiB.
  var record: [UInt8]

  /// Returns the note that it was passed over.
  package func skipped(_ reason: String) -> SkippedRecord {
    SkippedRecord(.record, path: path, line: line, reason: reason, record: record)
  }
}

/// A record, or a whole file, that could not be imported.
public struct SkippedRecord: Hashable, Sendable {
  /// The extent of what was passed over.
  public enum Scope: Hashable, Sendable {
    /// A record of a file, of which the rest was read.
    case record
    /// A file, or what was left of it.
    case file
    /// A file of which nothing is lost: it is empty, or a picture or the like that lies beside histories.
    case ignored
  }

  /// The extent of what was passed over.
  public var scope: Scope
  /// The path of the file, for people.
  public var path: String
  /// The number of the line, from 1; `nil` for whole files and formats without lines.
  public var line: Int?
  /// The offset of the record in bytes, in formats without lines.
  public var offset: Int64?
  /// The reason, as half a sentence.
  public var reason: String
  /// The way out, if ``reason`` does not say one.
  public var remedy: Remedy?
  /// The record as it stood, at most its first 64 KiB; for a file, its first lines.
  public var record: [UInt8]
  /// Whether it is a file that no format recognises, which ``record`` shows the beginning of.
  package private(set) var isUnknown = false
  /// The number of records of the file that were passed over one by one, before all of it was seen to be something else: this
  /// stands for them.
  package internal(set) var recordCount = 0

  /// Creates the note of a record that was passed over.
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

  /// Creates the note of a file that no format recognises.
  init(unknown path: String, start: [UInt8]) {
    self.init(.file, path: path, reason: "not a known format", record: start)
    isUnknown = true
  }

  /// Place, reason and way out, without commands of any program: `family.jsonl:812: no time`.
  public var description: String { description(in: \.description) }

  /// Returns the same in the words of a surface.
  ///
  /// - Parameter words: Returns how a way out is said there.
  package func description(in words: (Remedy) -> String) -> String {
    let reason = reason(in: words)
    let path = VisibleText.of(path, keepsTabs: false)
    if let line { return "\(path):\(line): \(reason)" }
    if let offset { return "\(path): at byte \(offset): \(reason)" }
    return "\(path): \(reason)"
  }

  /// Returns the reason and, in the words of a surface, the way out.
  package func reason(in words: (Remedy) -> String) -> String {
    remedy.map { "\(reason) (\(words($0)))" } ?? reason
  }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes of the input that were read, archives as they lie on the disk.
  public var doneByteCount: Int64
  /// The number of bytes of the input; `nil` if standard input or a pipe is part of it.
  public var totalByteCount: Int64?
  /// The number of files for which a format was found.
  public var fileCount: Int
  /// The number of messages read.
  public var messageCount: Int
  /// The number of records passed over; whole files are not among them.
  public var skippedRecordCount: Int
  /// The number of files passed over because no format recognised them or they could not be read.
  public var skippedFileCount: Int
  /// The number of files that messages name and that were taken in, after all messages.
  public var takenFileCount = 0
  /// The number of settings of a store that were read.
  package var settingCount = 0
}
