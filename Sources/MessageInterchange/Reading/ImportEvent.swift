public import MessageModel

/// What an ``ImportReader`` tells, in the order of the input.
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
  /// What to call it: `logs.tar.xz:perl6/2005/2005-02-26`.
  public var path: String
  /// The name of its format, as `--format` takes it.
  public var format: String
  /// The name of its format for people.
  public var formatTitle: String
  /// Where the files that it names may lie; `nil` where there can be none beside it.
  public var surroundings: FileSurroundings?

  /// Creates the description of a file.
  public init(
    index: Int, path: String, format: String, formatTitle: String, surroundings: FileSurroundings? = nil
  ) {
    self.surroundings = surroundings
    self.index = index
    self.path = path
    self.format = format
    self.formatTitle = formatTitle
  }
}

/// Messages of one or more files, in their order.
public struct ImportedMessages: Sendable {
  /// The messages.
  public var drafts: DraftBatch
  /// Which of them come from which file: they follow each other and cover all drafts.
  public var runs: [Run]

  /// Neighbouring drafts that come from one file. Only between these does the order say which was written first.
  public struct Run: Hashable, Sendable {
    /// ``ImportedFile/index``.
    public var file: Int
    /// The indices of the drafts.
    public var drafts: Range<Int>
    /// Whether it goes on from the last run of the batch before, which came from the same file.
    public var isContinuation: Bool

    /// Creates a run.
    public init(file: Int, drafts: Range<Int>, isContinuation: Bool = false) {
      self.file = file
      self.drafts = drafts
      self.isContinuation = isContinuation
    }
  }

  /// Creates a batch.
  public init(drafts: DraftBatch, runs: [Run]) {
    self.drafts = drafts
    self.runs = runs
  }
}

/// A record, or a whole file, that could not be imported.
public struct SkippedRecord: Hashable, Sendable {
  /// How much was passed over.
  public enum Scope: Hashable, Sendable {
    case record, file
    /// A file of which nothing is lost: it is empty, or a picture or the like that lies beside histories.
    case ignored
  }

  public var scope: Scope
  /// What to call the file.
  public var path: String
  /// The number of the line, from 1; `nil` for whole files and formats without lines.
  public var line: Int?
  /// The offset of the record in bytes, in formats without lines.
  public var offset: Int64?
  /// Why, as half a sentence.
  public var reason: String
  /// The record as it stood, at most its first 64 KiB; for a file, its first lines.
  public var record: [UInt8]

  /// Creates word of a record that was passed over.
  public init(
    _ scope: Scope, path: String, line: Int? = nil, offset: Int64? = nil, reason: String, record: [UInt8] = []
  ) {
    self.scope = scope
    self.path = path
    self.line = line
    self.offset = offset
    self.reason = reason
    self.record = record
  }

  /// Place and reason: `family.jsonl:812: no time`.
  public var description: String {
    if let line { return "\(path):\(line): \(reason)" }
    if let offset { return "\(path): at byte \(offset): \(reason)" }
    return "\(path): \(reason)"
  }
}

/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
  /// How many bytes of the input are read, archives as they lie on the disk.
  public var doneByteCount: Int64
  /// How many there are; `nil` if standard input or a pipe is among them.
  public var totalByteCount: Int64?
  /// How many files a format was found for.
  public var fileCount: Int
  /// How many messages were read.
  public var messageCount: Int
  /// How many records were passed over; whole files are not among them.
  public var skippedRecordCount: Int
  /// How many files were passed over because no format recognised them or they could not be read.
  public var skippedFileCount: Int
}
