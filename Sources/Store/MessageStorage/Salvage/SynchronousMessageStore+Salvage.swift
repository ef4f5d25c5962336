internal import Foundation
internal import GRDB
package import MessageModel

/// The progress of a salvage.
package struct SalvageProgress: Sendable {
  /// The number of pages examined.
  package var pageCount: Int
  /// The number of pages to examine.
  package var pageTotal: Int
}

extension SynchronousMessageStore {
  /// Copies the readable parts of a damaged store into a new one.
  ///
  /// The file is read page by page without SQLite, which stops at damaged trees: along its trees as far as
  /// they lead, and then wherever rows can be recognised. Nothing in it is locked or written. Messages that
  /// match their checksums are intact; others say in their text that they may differ; deleted messages stay
  /// deleted, as far as any trace of them is left. The new store gets its name when it is complete.
  ///
  /// - Parameters:
  ///   - damaged: The path of the damaged store.
  ///   - destination: The path of the new store, where no file may exist.
  ///   - progress: Called now and then; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `noSuchStore`, `notAStore`, `alreadyExists`, `cannotCreate`,
  ///   `cancelled`, `inputOutput`; no new store is left then.
  package static func salvage(
    _ damaged: String, to destination: String, progress: (SalvageProgress) -> Bool = { _ in true }
  ) throws(StoreError) -> SalvageReport {
    let doing = "cannot salvage '\(damaged)'"
    let file = try StoreFile(named: damaged, doing: doing)
    let pages = try PageReading(file, doing: doing)
    let target = try StoreFile(named: destination, doing: doing)
    try StoreFiles(file).spare(target.path, doing: doing)
    try target.checkFileSystem(doing: doing)
    try target.checkIsNew(doing: doing)
    let copy = try StoreCopy(near: target, doing: doing)
    let contents = ContentCopy(
      from: ContentFolder(beside: file), to: ContentFolder(beside: target), doing: doing)
    do {
      let report = try withoutActuallyEscaping(progress) { progress in
        try copy.fill(salvaging: pages, contents.source, SalvageMeter(pages.numbers.count, progress))
      }
      _ = try copy.verify()
      try copy.read { db in try contents.run(db) { _ in true } }
      try copy.open()
      try copy.become(target, doing: doing)
      return report
    } catch {
      copy.discard()
      contents.discard()
      var error = StoreError(error, doing: doing)
      error.summary = doing
      throw error
    }
  }
}

private final class SalvageMeter {
  private let total: Int
  private let progress: (SalvageProgress) -> Bool
  private var count = 0

  private static let interval = 256

  init(_ total: Int, _ progress: @escaping (SalvageProgress) -> Bool) {
    (self.total, self.progress) = (total, progress)
  }

  func pass() throws {
    count += 1
    guard count.isMultiple(of: Self.interval) else { return }
    try check()
  }

  func check() throws {
    guard progress(SalvageProgress(pageCount: min(count, total), pageTotal: total)) else {
      throw StoreError(.cancelled, "did not salvage the store", cause: "stopped on request")
    }
  }
}

extension StoreCopy {
  fileprivate func fill(
    salvaging pages: PageReading, _ contents: ContentFolder, _ meter: SalvageMeter
  ) throws -> SalvageReport {
    var configuration = Configuration()
    // References are repaired when all rows are there.
    configuration.foreignKeysEnabled = false
    let costly = CostlyMessageLog()
    configuration.prepareDatabase { SearchFunctions.register($0, noting: costly) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    // It is worthless until it is complete.
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384")
    }
    try Schema.migrator().migrate(queue)
    let report = try queue.writeWithoutTransaction { db in
      var report = SalvageReport()
      try db.inTransaction(.immediate) {
        report = try Self.salvage(pages, contents, into: db, meter)
        return .commit
      }
      return report
    }
    try sync()
    return report
  }

  private static func salvage(
    _ pages: PageReading, _ contents: ContentFolder, into db: Database, _ meter: SalvageMeter
  ) throws -> SalvageReport {
    let source = PageSource(pages) { try meter.pass() }
    let target = try SalvageTarget(db)
    var salvager = try Salvager(source, into: target)
    var resolution: SalvageResolution
    (salvager, resolution) = try SynchronousMessageStore.withoutTriggers(db) {
      try salvager.run()
      var resolution = SalvageResolution(
        target, knowsIDs: salvager.knowsIDs, knowsFreePages: source.knowsFreePages)
      try resolution.run()
      return (salvager, resolution)
    }
    try meter.check()
    var completion = SalvageCompletion(db, contents: contents)
    try completion.run()
    var report = SalvageReport()
    report.conversations = try MissingMessages(db: db, knowsBlocks: salvager.knowsBlocks).conversations()
    (report.damaged, report.unproven, report.losses) = (
      resolution.damaged, resolution.unproven, completion.losses
    )
    report.unsummedCount = RawStatement.count(
      try RawStatement.number(db, "SELECT count(*) FROM message WHERE checksum IS NULL") ?? 0)
    report.notes = pages.notes
    if pages.failureCount > 0 {
      report.notes.append("the disk did not give \(pages.failureCount) of its pages")
    }
    return report
  }

  private func sync() throws(StoreError) {
    let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(errno: errno, "cannot write '\(path)'") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, "cannot write '\(path)'") }
  }
}

/// What was salvaged from a damaged store, and what was lost.
package struct SalvageReport: Hashable, Sendable {
  /// A number of messages, and the first of their ids.
  package struct Listed: Hashable, Sendable {
    package private(set) var count = 0
    /// At most 100.
    package private(set) var first: [Message.ID] = []

    static let limit = 100

    mutating func add(_ id: Int64) {
      count += 1
      if first.count < Self.limit { first.append(Message.ID(rawValue: id)) }
    }
  }

  /// Messages that existed and were not found.
  package struct Gap: Hashable, Sendable {
    package var messageCount: Int
    /// The earliest possible time, if known.
    package var first: Timestamp?
    /// The latest possible time, if known.
    package var last: Timestamp?
  }

  /// A salvaged conversation.
  package struct Conversation: Hashable, Sendable {
    package var name: String
    /// The number of salvaged messages.
    package var messageCount: Int
    /// The number of lost messages.
    package internal(set) var missingCount = 0
    /// The first places of lost messages.
    package internal(set) var gaps: [Gap] = []
  }

  /// All conversations by name.
  package internal(set) var conversations: [Conversation] = []
  /// Messages that differ from their checksum; their text in the new store says so.
  package internal(set) var damaged = Listed()
  /// Messages without a checksum that no tree led to.
  package internal(set) var unproven = Listed()
  /// The number of messages without a checksum, which cannot be verified.
  package internal(set) var unsummedCount = 0
  /// Other losses and replacements, as sentences.
  package internal(set) var losses: [String] = []
  /// Faults of the file, as sentences.
  package internal(set) var notes: [String] = []

  /// The number of salvaged messages.
  package var messageCount: Int { conversations.reduce(0) { $0 + $1.messageCount } }
  /// The number of messages known to be missing.
  package var missingCount: Int { conversations.reduce(0) { $0 + $1.missingCount } }
  /// Whether everything was salvaged and nothing is in doubt.
  package var isWhole: Bool {
    missingCount == 0 && damaged.count == 0 && unproven.count == 0 && losses.isEmpty
  }
}
