package import Foundation
package import MessageModel
package import MessageStorage
internal import TerminalText

/// `export --format site`: writes a folder that a browser shows without any program: the page, and the messages in pieces
/// that it loads as it needs them (docs/site.md).
///
/// Memory holds a piece, the words of some hundred pieces, and what is listed of the last 500 conversations, however many
/// there are. Pieces are filled across conversations, so that files are bounded by what was written and not by how many
/// wrote. Who is stopped goes on where it was.
package struct SiteExport: Sendable {
  package var choice: ConversationChoice
  package var predicate: MessagePredicate
  /// The zone whose midnights part days.
  package var zone: TimeZone
  package var folder: String

  /// Creates an export.
  package init(
    choice: ConversationChoice = .all, predicate: MessagePredicate = .everything, zone: TimeZone,
    folder: String
  ) {
    (self.choice, self.predicate, self.zone, self.folder) = (choice, predicate, zone, folder)
  }

  /// What `--format` calls it.
  package static let formatName = "site"

  /// The outcome of an export.
  package struct Outcome: Sendable {
    package var messageCount = 0
    /// The messages that an export before had written, which this one went on with.
    package var keptCount = 0
    package var conversationCount = 0
    /// The number of attached files that could not be written because their content is missing or damaged.
    package var failedFileCount = 0
    package var isStopped = false
  }

  /// How many pieces, and how many words with the pieces that hold them, are written before it is noted how far it came.
  static let stepPieceCount = 256
  static let stepPostingCount = 1_000_000
  /// How many conversations are listed together.
  static let listCount = 500

  /// Writes all messages that are wanted.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to stop; another run with the same wishes goes on from there.
  ///   - telling: Told how many messages are written.
  /// - Throws: ``UsageError`` for conversations that are not there and folders that cannot be written, ``StoreError`` if
  ///   the store cannot be read.
  package func run(
    _ store: SynchronousMessageStore, isCancelled: () -> Bool = { false }, telling: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    let wanted = try choice.selection(in: store).narrowed(to: predicate)
    let site = try SiteFolder(folder, sparing: store.files)
    let check = try ReadCheck(wanted, of: store, offset: 0, limit: nil)
    let version = try store.version(of: .everything)
    let wish = "\(SiteWriter.format) \(choice) \(PredicateText.text(of: predicate)) \(zone.identifier)"
    let progress = try site.progress(for: wish, version) ?? SiteProgress(wish: wish, version: version)
    // Before anything else is there, so that one that is killed at once can be gone on with, too.
    try site.keep(progress)
    var outcome = Outcome(keptCount: progress.messageCount)
    let writer = SiteWriter(progress, store: store, site: site, predicate: predicate, zone: zone)
    try each(of: wanted, in: store, after: progress.lastName) { conversation in
      try writer.write(conversation, isCancelled)
      telling(writer.messageCount)
      return !isCancelled()
    }
    outcome.isStopped = isCancelled()
    if outcome.isStopped {
      try writer.note()
    } else {
      try writer.finish()
      try check?.compare(writer.written.messageCount)
    }
    outcome.messageCount = writer.written.messageCount
    outcome.conversationCount = writer.written.conversationCount
    outcome.failedFileCount = writer.written.failedFileCount
    return outcome
  }

  /// Calls `body` with the conversations that are wanted, by name, until it answers `false`.
  private func each(
    of wanted: Selection, in store: SynchronousMessageStore, after name: String?,
    _ body: (Conversation) throws -> Bool
  ) throws {
    var last = name
    while case let found = try store.conversations(after: last, limit: Self.listCount), !found.isEmpty {
      for conversation in found {
        if case .some(let ids) = wanted.conversations, !ids.contains(conversation.id) { continue }
        guard try body(conversation) else { return }
      }
      last = found.last?.name
    }
  }
}
