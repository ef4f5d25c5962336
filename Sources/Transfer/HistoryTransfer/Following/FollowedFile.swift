internal import MessageInterchange
internal import MessageStorage

final class FollowedFile {
  var found: FoundFile
  unowned let source: FollowedSource
  /// `nil` until known.
  var nature: FileNature?
  /// `nil` if it was missing.
  var seen: FileFacts?
  var taken: FileFacts?
  /// Fingerprint that recognises a growing file after a rename.
  var mark: FileMark?
  var live: LiveFile?
  /// The tail of the former file of this name.
  var formerTail: FileTail?
  /// When an export first had changes that are not imported; `nil` if there are none.
  var growsSince: Double?
  /// Whether it is a rewritten session that was incomplete at the last check.
  var isHalf = false
  var due: Double?
  var readAt = -Double.infinity
  var cost = 0.0
  var missingSince: Double?
  var trouble: String?
  /// The number of skipped records reported for the last full read.
  var toldSkips = 0
  /// Rows after this one are new.
  var newestRow: Int64?
  var readWholeAt = -Double.infinity
  var wholeCost = 0.0

  init(_ found: FoundFile, of source: FollowedSource) {
    self.found = found
    self.source = source
  }

  /// The import order: rotated parts of a log, oldest first, before the log itself.
  static func comesBefore(_ one: FollowedFile, _ other: FollowedFile) -> Bool {
    let (log, otherLog) = (one.found.log ?? one.found.path, other.found.log ?? other.found.path)
    guard log == otherLog else { return log < otherLog }
    guard let log = one.found.log, other.found.log == log else { return one.found.log != nil }
    let (changedAt, otherChangedAt) = (one.seen?.changedAt ?? 0, other.seen?.changedAt ?? 0)
    return (changedAt, one.found.path) < (otherChangedAt, other.found.path)
  }

  func forget() {
    (live, taken, newestRow) = (nil, nil, nil)
    toldSkips = 0
  }
}

struct LiveFile {
  var reader: ImportReader
  let facts: FileFacts
  var file: ImportedFile?
  var position: Int64
  var tail: FileTail?
  /// Fingerprint of the part read: a file with other bytes there is a different one.
  private(set) var mark: FileMark?

  init(_ reader: ImportReader, _ facts: FileFacts, at position: Int64) {
    self.reader = reader
    self.facts = facts
    self.position = position
  }

  mutating func mark(in file: OpenFile) { mark = FileMark(of: file, upTo: position) }

  func isBeginning(of file: OpenFile) -> Bool { mark?.isBeginning(of: file) ?? true }

  func hasSameHead(as file: OpenFile) -> Bool { mark?.hasSameHead(as: file) ?? true }
}

final class FollowedSource {
  var stored: StoredSource
  let options: ImportOptions
  var files: [String: FollowedFile] = [:]
  /// Imported files by path, also those of earlier runs.
  var remembered: [String: RememberedFile] = [:]
  /// Replaced logs, which may reappear under another name.
  private(set) var former: [(path: String, file: RememberedFile)] = []
  var unwritten: Set<String> = []
  var hasNews = false
  var isFolder: Bool?
  var troubles: [String: String] = [:]
  var isWatched = false
  /// The time of the next scan, and the earliest time that its cost allows.
  var scanAt = -Double.infinity
  var restUntil = -Double.infinity
  var missingSince: Double?

  init(_ stored: StoredSource, _ options: ImportOptions) {
    self.stored = stored
    self.options = options
  }

  /// The options with the present limit for future times.
  var present: ImportOptions {
    var present = options
    if present.latest != nil { present.latest = HistoryIntake.latest() }
    return present
  }

  var logBook: LogBook {
    // An export that is gone cannot reappear under another name.
    let logs = remembered.filter { $0.value.mark != nil || $0.value.log != nil || files[$0.key] != nil }
    return LogBook(logs, former: former, present: Array(files.keys))
  }

  /// Imported files that no longer exist; a rotated part counts as its log.
  var gonePaths: Set<String> {
    let logs = Set(files.values.compactMap(\.found.log))
    return Set(
      remembered.filter { $0.value.log == nil && files[$0.key] == nil && !logs.contains($0.key) }.keys)
  }

  func changedAt(_ path: String) -> Int64 { remembered[path]?.facts.changedAt ?? .min }

  func remember(_ file: FollowedFile) {
    guard let taken = file.taken else { return }
    remembered[file.found.path] = RememberedFile(taken, mark: file.mark, log: file.found.log)
    unwritten.insert(file.found.path)
  }

  func keepFormer(of path: String) {
    guard let file = remembered[path] else { return }
    former.removeFirst(max(former.count - Self.mostFormer, 0))
    former.append((path, file))
  }

  private static let mostFormer = 64

  func scanSoon() { scanAt = min(scanAt, restUntil) }
}
