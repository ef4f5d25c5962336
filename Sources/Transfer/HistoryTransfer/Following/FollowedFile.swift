internal import MessageInterchange
internal import MessageStorage

/// A file while it is followed.
final class FollowedFile {
  /// The file, as it was found.
  var found: FoundFile
  unowned let source: FollowedSource
  /// The way in which it comes to have more in it, as far as that is known.
  var nature: FileNature?
  /// The facts about it when it was last looked at; `nil` if it was not there.
  var seen: FileFacts?
  /// The facts about it when its content was last imported.
  var taken: FileFacts?
  /// By what it is known again under another name, if lines are added to it.
  var mark: FileMark?
  /// Its reader, while it is known where to read on.
  var live: LiveFile?
  /// The tail of the file that was there before, if another took its place.
  var formerTail: FileTail?
  /// The moment since which it has something that was not taken in, if it is an export; `nil` if all of it was.
  var growsSince: Double?
  /// Whether it is a session that its program writes anew, and was not whole when it was last looked at.
  var isHalf = false
  /// The moment at which it is to be read, in seconds.
  var due: Double?
  /// The moment at which it was last read, and how long that took, in seconds.
  var readAt = -Double.infinity
  var cost = 0.0
  /// The moment since which it is not there; `nil` if it is.
  var missingSince: Double?
  /// The fault that was last reported.
  var trouble: String?
  /// The number of records that were passed over when all of it was read last, as it was told.
  var toldSkips = 0
  /// The news of a database lie behind this row.
  var newestRow: Int64?
  /// The moment at which all of a database was read last, and how long that took.
  var readWholeAt = -Double.infinity
  var wholeCost = 0.0

  init(_ found: FoundFile, of source: FollowedSource) {
    self.found = found
    self.source = source
  }

  /// The order in which files are taken in: what was rotated away of a log, the oldest first, comes before what goes on with it.
  static func comesBefore(_ one: FollowedFile, _ other: FollowedFile) -> Bool {
    let (log, otherLog) = (one.found.log ?? one.found.path, other.found.log ?? other.found.path)
    guard log == otherLog else { return log < otherLog }
    guard let log = one.found.log, other.found.log == log else { return one.found.log != nil }
    let (changedAt, otherChangedAt) = (one.seen?.changedAt ?? 0, other.seen?.changedAt ?? 0)
    return (changedAt, one.found.path) < (otherChangedAt, other.found.path)
  }

  /// Forgets how far it was read, so that all of it is read again.
  func forget() {
    (live, taken, newestRow) = (nil, nil, nil)
    toldSkips = 0
  }
}

/// A file that lines are added to, as far as it was read.
struct LiveFile {
  var reader: ImportReader
  /// The file as it was when its reader began.
  let facts: FileFacts
  /// The description of it by its reader.
  var file: ImportedFile?
  /// The offset up to which it was read.
  var position: Int64
  var tail: FileTail?
  /// By what the part that was read is known again: a file that has other bytes there is another one.
  private(set) var mark: FileMark?

  init(_ reader: ImportReader, _ facts: FileFacts, at position: Int64) {
    self.reader = reader
    self.facts = facts
    self.position = position
  }

  /// Notes by what the part that was read is known again.
  mutating func mark(in file: OpenFile) { mark = FileMark(of: file, upTo: position) }

  /// Whether a file begins with what was read.
  func isBeginning(of file: OpenFile) -> Bool { mark?.isBeginning(of: file) ?? true }

  /// Whether a file has the same first bytes.
  func hasSameHead(as file: OpenFile) -> Bool { mark?.hasSameHead(as: file) ?? true }
}

/// A source while it is followed.
final class FollowedSource {
  var stored: StoredSource
  let options: ImportOptions
  /// Its files by their paths.
  var files: [String: FollowedFile] = [:]
  /// The files remembered as imported, by their paths, also by whoever followed it before.
  var remembered: [String: RememberedFile] = [:]
  /// The same of logs whose place was taken by others since: they may turn up under another name.
  private(set) var former: [(path: String, file: RememberedFile)] = []
  /// The files about which something is not written down yet.
  var unwritten: Set<String> = []
  /// Whether something else about it is not written down yet.
  var hasNews = false
  /// Whether it is a folder; `nil` while it is not known.
  var isFolder: Bool?
  /// The troubles with it and its folders, by path.
  var troubles: [String: String] = [:]
  /// Whether the system tells of all that happens in it.
  var isWatched = false
  /// The moment at which it is gone through next, in seconds, and the one before which that costs too much.
  var scanAt = -Double.infinity
  var restUntil = -Double.infinity
  /// The moment since which it is not there; `nil` if it is.
  var missingSince: Double?

  init(_ stored: StoredSource, _ options: ImportOptions) {
    self.stored = stored
    self.options = options
  }

  /// The options as they are now: what claims to be much later than that is not taken.
  var present: ImportOptions {
    var present = options
    if present.latest != nil { present.latest = HistoryIntake.latest() }
    return present
  }

  /// The logs of it that are known.
  var logBook: LogBook {
    // Of an export that is gone there is nothing that could turn up under another name.
    let logs = remembered.filter { $0.value.mark != nil || $0.value.log != nil || files[$0.key] != nil }
    return LogBook(logs, former: former, present: Array(files.keys))
  }

  /// The paths of files that were taken in and are not there; what was rotated away of a log is the log.
  var gonePaths: Set<String> {
    let logs = Set(files.values.compactMap(\.found.log))
    return Set(
      remembered.filter { $0.value.log == nil && files[$0.key] == nil && !logs.contains($0.key) }.keys)
  }

  /// The time at which a remembered file was last changed.
  func changedAt(_ path: String) -> Int64 { remembered[path]?.facts.changedAt ?? .min }

  /// Remembers how a file was taken in.
  func remember(_ file: FollowedFile) {
    guard let taken = file.taken else { return }
    remembered[file.found.path] = RememberedFile(taken, mark: file.mark, log: file.found.log)
    unwritten.insert(file.found.path)
  }

  /// Keeps in mind what was remembered of a log in whose place there is another one.
  func keepFormer(of path: String) {
    guard let file = remembered[path] else { return }
    former.removeFirst(max(former.count - Self.mostFormer, 0))
    former.append((path, file))
  }

  private static let mostFormer = 64

  /// Has it gone through as soon as that may be.
  func scanSoon() { scanAt = min(scanAt, restUntil) }
}
