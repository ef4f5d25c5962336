internal import MessageInterchange
internal import MessageModel
package import MessageStorage

/// Imports the files that messages of a history name, after the messages. Files on disk are opened by their
/// names, within the paths that the user named; archives are read once more. Missing files are counted, not
/// errors: importing again with the files present adds them.
struct NamedFiles {
  private var surroundings: [ImportBatch.ConversationKey: Set<FileSurroundings>] = [:]
  private var files: [Int: FileSurroundings] = [:]

  private(set) var count = 0
  private(set) var taken = TakenFiles()

  private static let pieceCount = 10_000
  /// The largest file extracted from an archive: it is written to disk first.
  private static let maxArchived = (byteCount: 2 << 30, text: "2.1 GB")
  private static let mostSurroundings = 64

  mutating func begin(_ file: ImportedFile) { files[file.index] = file.surroundings }

  mutating func note(_ batch: ImportedMessages) {
    for (index, details) in batch.entries.details {
      let named = details.attachments.count { $0.path != nil }
      count += named
      guard named > 0, let run = batch.runs.first(where: { $0.entries.contains(index) }),
        let place = files[run.file]
      else {
        continue
      }
      let key = batch.entries.key(ofConversation: Int(batch.entries.entries[index].conversation))
      guard surroundings[key, default: []].count < Self.mostSurroundings else { continue }
      surroundings[key, default: []].insert(place)
    }
    // Only the last file may continue in the next batch.
    guard let last = batch.runs.last?.file else { return }
    files = files.filter { $0.key >= last }
  }

  mutating func take(
    into store: SynchronousMessageStore, note: (TakenFiles) -> Void, isCancelled: () -> Bool
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
        defer { note(taken) }
        if try takeFromDisk(one, candidates, into: store) { continue }
        taken.missingCount += 1
        for place in candidates {
          guard let archive = place.archive else { continue }
          archives.insert(archive)
          for name in place.places(of: one.path) { rest[name, default: []].append(one) }
        }
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
        let doing = "cannot import '\(path)'"
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
        let intake = store.beginContent(doing: "cannot import '\(name)'")
        while case let piece = try next(), !piece.isEmpty {
          guard intake.byteCount + piece.count <= Self.maxArchived.byteCount else {
            taken.note(failure: "'\(name)' is larger than \(Self.maxArchived.text)")
            return
          }
          try piece.withUnsafeBytes { try intake.write($0) }
        }
        let content = try intake.finish(claimedType: first.claimedType)
        do {
          try keep(content, users, in: store)
          taken.missingCount -= users.count
          for (key, others) in wanted where others.first == first { wanted[key] = nil }
        } catch let error as StoreError where error.kind == .damaged {
          note(error)
        }
      }
    } catch let error as InterchangeError {
      taken.note(failure: error.summary + (error.cause.map { ": \($0)" } ?? ""))
    }
  }

  private mutating func keep(
    _ content: StagedContent, _ users: [MissingContent], in store: SynchronousMessageStore
  ) throws {
    try store.setContent(content, of: users)
    taken.count += users.count
    taken.byteCount += content.byteCount
  }

  /// Whether an error concerns a single file, so that the import continues.
  private static func isOfOneFile(_ error: StoreError) -> Bool {
    switch error.kind {
    case .noSuchFile, .notPermitted, .invalidRequest, .damaged: true
    case .inputOutput: error.cause?.contains("changed while") == true
    default: false
    }
  }

  private mutating func note(_ error: StoreError) {
    taken.note(failure: [error.summary, error.cause].compactMap { $0 }.joined(separator: ": "))
  }
}

/// The outcome for the files that an import's messages name.
///
/// Includes files named by earlier imports of the same conversations that were missing then.
public struct TakenFiles: Hashable, Sendable {
  /// The number of attachments that received their content.
  public var count = 0
  /// The total size of those contents in bytes.
  public var byteCount = 0
  /// The number of missing files. Importing again with the files present adds them.
  public var missingCount = 0
  /// The number of files that could not be imported.
  public var failureCount = 0
  /// The first failures, at most 100, as sentences with the reason.
  public var failures: [String] = []

  private static let keptCount = 100

  /// Creates counts of zero.
  public init() {}

  mutating func note(failure: String) {
    failureCount += 1
    if failures.count < Self.keptCount { failures.append(failure) }
  }
}

extension SynchronousMessageStore {
  /// Makes missing thumbnails. Errors are ignored: the next call retries.
  package func makeMissingPictures(by maker: (any PictureMaker)?, isCancelled: () -> Bool = { false }) {
    guard let maker else { return }
    _ = try? makePictures(by: maker) { _ in !isCancelled() }
  }
}
