internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// Takes the files in that an imported history names, after its messages.
///
/// Files on a disk are opened by the names that messages give, within what the user named; archives are gone through
/// once more. What is not there is counted and no error: importing again, with the files beside, brings them.
struct ImportedFiles {
  /// The surroundings of the histories that gave a conversation attachments.
  private var surroundings: [DraftBatch.ConversationKey: Set<FileSurroundings>] = [:]
  /// The surroundings of the files whose messages may come in this batch or the next.
  private var files: [Int: FileSurroundings] = [:]

  /// The number of attachments that got a content.
  private(set) var takenCount = 0
  private(set) var takenByteCount = 0
  /// The number of files that were not there.
  private(set) var missingCount = 0
  /// Those that were there and could not be taken, with the reason.
  private(set) var failures: [String] = []

  private static let pieceCount = 10_000
  private static let shownFailures = 10
  /// The largest file that is taken out of an archive, in bytes: it is written to the disk first.
  private static let greatestArchived = 2 << 30
  /// The most folders that the files of one conversation are looked for in.
  private static let mostSurroundings = 64

  mutating func begin(_ file: ImportedFile) { files[file.index] = file.surroundings }

  /// Notes which conversations have attachments, and where the history lies that says so.
  mutating func note(_ batch: ImportedMessages) {
    for (index, details) in batch.drafts.details where details.attachments.contains(where: { $0.path != nil })
    {
      guard let run = batch.runs.first(where: { $0.drafts.contains(index) }), let place = files[run.file]
      else {
        continue
      }
      let key = batch.drafts.key(ofConversation: Int(batch.drafts.drafts[index].conversation))
      guard surroundings[key, default: []].count < Self.mostSurroundings else { continue }
      surroundings[key, default: []].insert(place)
    }
    // Only the last file may go on in the next batch.
    guard let last = batch.runs.last?.file else { return }
    files = files.filter { $0.key >= last }
  }

  /// Takes in what is there.
  mutating func run(
    into store: SynchronousMessageStore, redraw: (String) -> Void, isCancelled: () -> Bool
  ) throws {
    var places: [Conversation.ID: Set<FileSurroundings>] = [:]
    for (key, found) in surroundings {
      if let conversation = try store.conversation(importedAs: key) {
        places[conversation.id, default: []].formUnion(found)
      }
    }
    guard !places.isEmpty else { return }
    var last: MissingContent?
    while !isCancelled() {
      let missing = try store.missingContents(in: Set(places.keys), after: last, limit: Self.pieceCount)
      guard let end = missing.last else { return }
      last = end
      var rest: [String: [MissingContent]] = [:]
      var archives: Set<String> = []
      for one in missing where !isCancelled() {
        let candidates = places[one.conversation] ?? []
        if try takeFromDisk(one, candidates, into: store) { continue }
        missingCount += 1
        for place in candidates {
          guard let archive = place.archive else { continue }
          archives.insert(archive)
          for name in place.places(of: one.path) { rest[name, default: []].append(one) }
        }
        redraw("took in \(NumberText.counted(takenCount, "file"))")
      }
      for archive in archives.sorted() where !isCancelled() {
        try takeFromArchive(archive, &rest, into: store, isCancelled: isCancelled)
      }
    }
  }

  private mutating func takeFromDisk(
    _ missing: MissingContent, _ candidates: Set<FileSurroundings>, into store: SynchronousMessageStore
  ) throws -> Bool {
    for place in candidates where place.archive == nil {
      guard let path = place.file(missing.path) else { continue }
      do {
        let doing = "cannot take '\(path)' in"
        let content = try store.stage(
          NewAttachment(file: path, claimedType: missing.claimedType), doing: doing)
        try keep(content, [missing], in: store)
        return true
      } catch let error as StoreError where Self.isOfOneFile(error) {
        note(error)
        return true
      }
    }
    return false
  }

  private mutating func takeFromArchive(
    _ archive: String, _ wanted: inout [String: [MissingContent]], into store: SynchronousMessageStore,
    isCancelled: () -> Bool
  ) throws {
    let names = Set(wanted.keys)
    do {
      try ArchivedFiles.forEach(in: archive, where: names.contains) { name, next in
        guard !isCancelled(), let users = wanted[name], let first = users.first else { return }
        let intake = store.beginContent(doing: "cannot take '\(name)' in")
        while case let piece = try next(), !piece.isEmpty {
          guard intake.byteCount + piece.count <= Self.greatestArchived else {
            failures.append("'\(name)' is larger than \(NumberText.bytes(Self.greatestArchived))")
            return
          }
          try piece.withUnsafeBytes { try intake.write($0) }
        }
        let content = try intake.finish(claimedType: first.claimedType)
        do {
          try keep(content, users, in: store)
          missingCount -= users.count
          for (key, others) in wanted where others.first == first { wanted[key] = nil }
        } catch let error as StoreError where error.kind == .damaged {
          note(error)
        }
      }
    } catch let error as InterchangeError {
      failures.append(error.summary + (error.cause.map { ": \($0)" } ?? ""))
    }
  }

  private mutating func keep(
    _ content: StagedContent, _ users: [MissingContent], in store: SynchronousMessageStore
  )
    throws
  {
    try store.setContent(content, of: users)
    takenCount += users.count
    takenByteCount += content.byteCount
  }

  /// Whether an error concerns one file alone: others can be taken.
  private static func isOfOneFile(_ error: StoreError) -> Bool {
    switch error.kind {
    case .noSuchFile, .notPermitted, .invalidRequest, .damaged: true
    case .inputOutput: error.cause?.contains("changed while") == true
    default: false
    }
  }

  private mutating func note(_ error: StoreError) {
    failures.append([error.summary, error.cause].compactMap { $0 }.joined(separator: ": "))
  }

  /// The lines that say what became of the files; none if there were none.
  var lines: [String] {
    var lines = failures.prefix(Self.shownFailures).map { VisibleText.of($0) }
    if failures.count > Self.shownFailures {
      lines.append("… and \(failures.count - Self.shownFailures) more")
    }
    guard takenCount + missingCount + failures.count > 0 else { return lines }
    var parts = [
      "took in \(NumberText.counted(takenCount, "attached file")) (\(NumberText.bytes(takenByteCount)))"
    ]
    if missingCount > 0 { parts.append("\(NumberText.grouped(missingCount)) not there") }
    if !failures.isEmpty { parts.append("\(NumberText.grouped(failures.count)) unreadable") }
    return lines + [parts.joined(separator: " · ")]
  }
}
