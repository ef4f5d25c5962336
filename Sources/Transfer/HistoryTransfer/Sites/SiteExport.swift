package import Foundation
internal import MessageInterchange
package import MessageModel
package import MessageStorage

/// Writes a site: a folder that a browser shows without any program: the page, and the messages in pieces
/// that it loads as it needs them (docs/site.md).
///
/// Memory holds a piece, the words of some hundred pieces, and what is listed of the last 500 conversations, however many
/// there are. Pieces are filled across conversations, so that files are bounded by what was written and not by how many
/// wrote. Who is stopped goes on where it was.
package struct SiteExport: Sendable {
  /// The messages to write: whole conversations, or what a predicate lets through of them.
  package var selection: Selection
  /// The zone whose midnights part days.
  package var zone: TimeZone
  package var folder: String
  /// The files of the page, each under its name.
  package var page: [(name: String, bytes: [UInt8])]

  /// The name of what is asked for with a redaction: its stand-ins are of one run, so that none goes on where another was.
  /// It has letters alone: digits could be what an expression finds.
  private static func redactedWish() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return "redacted " + String((0..<32).map { _ in letters[Int.random(in: letters.indices)] })
  }

  /// Creates an export.
  package init(
    _ selection: Selection = .everything, zone: TimeZone, folder: String,
    page: [(name: String, bytes: [UInt8])]
  ) {
    (self.selection, self.zone, self.folder, self.page) = (selection, zone, folder, page)
  }

  /// The outcome of an export.
  package struct Outcome: Sendable {
    package var messageCount = 0
    /// The messages that an export before had written, which this one went on with.
    package var keptCount = 0
    package var conversationCount = 0
    /// The number of attached files that could not be written because their content is missing or damaged.
    package var failedFileCount = 0
    package var isStopped = false
    /// The difference between what the store counts and what could be read.
    package var miscount: Miscount?
  }

  /// The numbers of pieces, and of words with the pieces that hold them, written between two notes of the progress.
  static let stepPieceCount = 256
  static let stepPostingCount = 1_000_000
  /// The number of conversations that are listed together.
  static let listCount = 500

  /// Writes all messages that are wanted.
  ///
  /// - Parameters:
  ///   - redaction: What takes out of messages what is not for others; `nil` for nothing.
  ///   - isCancelled: Whether to stop; another run with the same wishes goes on from there.
  ///   - telling: Told how many messages are written.
  /// - Throws: ``StoreError`` for folders that cannot be written, and if the store cannot be read.
  package func run(
    _ store: SynchronousMessageStore, redaction: HistoryRedaction? = nil,
    isCancelled: () -> Bool = { false }, telling: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    let site = try SiteFolder(folder, sparing: store.files)
    site.redaction = redaction
    // Its pieces have the same keys.
    redaction?.expect(JSONLinesExport())
    do {
      return try write(store, into: site, redaction, isCancelled, telling)
    } catch {
      // What was to be without some words, and is not whole, is nobody's; nothing goes on from there.
      if redaction != nil { site.clear() }
      throw error
    }
  }

  private func write(
    _ store: SynchronousMessageStore, into site: SiteFolder, _ redaction: HistoryRedaction?,
    _ isCancelled: () -> Bool, _ telling: (Int) -> Void
  ) throws -> Outcome {
    let check = try ReadCheck(selection, of: store, offset: 0, limit: nil)
    let version = try store.version(of: .everything)
    let wish = redaction == nil ? self.wish : Self.redactedWish()
    let progress = try site.progress(for: wish, version) ?? SiteProgress(wish: wish, version: version)
    // Before anything else is there, so that one that is killed at once can be gone on with, too.
    try site.keep(progress)
    var outcome = Outcome(keptCount: progress.messageCount)
    let writer = SiteWriter(progress, store: store, site: site, predicate: selection.predicate, zone: zone)
    try each(in: store, after: progress.lastName) { conversation in
      try writer.write(conversation, isCancelled)
      telling(writer.messageCount)
      return !isCancelled()
    }
    outcome.isStopped = isCancelled()
    if outcome.isStopped {
      try writer.note()
    } else {
      try writer.finish(page)
      outcome.miscount = try check?.compare(writer.written.messageCount)
    }
    outcome.messageCount = writer.written.messageCount
    outcome.conversationCount = writer.written.conversationCount
    outcome.failedFileCount = writer.written.failedFileCount
    return outcome
  }

  /// The request: an export that was stopped goes on where the same is asked for again.
  private var wish: String {
    let conversations =
      switch selection.conversations {
      case .all: "all"
      case .some(let ids): ids.map(\.rawValue).sorted().map(String.init).joined(separator: ",")
      }
    let predicate = PredicateText.text(of: selection.predicate)
    return "\(SiteWriter.format) \(conversations) \(predicate) \(zone.identifier)"
  }

  /// Calls `body` with the conversations that are wanted, by name, until it answers `false`.
  private func each(
    in store: SynchronousMessageStore, after name: String?, _ body: (Conversation) throws -> Bool
  ) throws {
    var last = name
    while case let found = try store.conversations(after: last, limit: Self.listCount), !found.isEmpty {
      for conversation in found {
        if case .some(let ids) = selection.conversations, !ids.contains(conversation.id) { continue }
        guard try body(conversation) else { return }
      }
      last = found.last?.name
    }
  }
}
