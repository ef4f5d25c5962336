package import Foundation
internal import MessageInterchange
package import MessageModel
package import MessageStorage

/// Writes a site: a folder with a page for browsers and the messages in pieces that the page loads as needed
/// (docs/site.md).
///
/// Memory holds a piece, the words of some hundred pieces, and the entries of the last 500 conversations.
/// Small conversations share pieces, so the number of files depends on the messages, not on the
/// conversations. An interrupted export can be continued. Beside them stand pages without scripts, one for each
/// month of a conversation and each thread, of which memory holds one.
package struct SiteExport: Sendable {
  /// The messages to write: whole conversations, or their messages that match a predicate.
  package var selection: Selection
  /// The zone whose midnights separate days.
  package var zone: TimeZone
  package var folder: String
  /// The address that the folder will have on a server; `nil` if it is not known: then there is no sitemap.
  package var address: String?
  /// The files of the page by name.
  package var page: [(name: String, bytes: [UInt8])]

  /// A random name for a redacted export: stand-ins are valid for one run, so it must not be continued. It
  /// has letters only, since expressions may match digits.
  private static func redactedWish() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return "redacted " + String((0..<32).map { _ in letters[Int.random(in: letters.indices)] })
  }

  package init(
    _ selection: Selection = .everything, zone: TimeZone, folder: String, address: String? = nil,
    page: [(name: String, bytes: [UInt8])]
  ) {
    self.address = address
    (self.selection, self.zone, self.folder, self.page) = (selection, zone, folder, page)
  }

  package struct Outcome: Sendable {
    package var messageCount = 0
    /// The number of messages kept from an interrupted export.
    package var keptCount = 0
    package var conversationCount = 0
    /// The number of attached files not written because their content is missing or damaged.
    package var failedFileCount = 0
    package var isStopped = false
    /// The difference between the store's count and the messages read.
    package var miscount: Miscount?
  }

  static let stepPieceCount = 256
  static let stepPostingCount = 1_000_000
  static let listCount = 500

  /// Writes the site.
  ///
  /// - Parameters:
  ///   - redaction: Redacts messages before they are written.
  ///   - isCancelled: Whether to stop; another run with the same arguments continues.
  ///   - telling: Receives the number of messages written.
  package func run(
    _ store: SynchronousMessageStore, redaction: HistoryRedaction? = nil,
    isCancelled: () -> Bool = { false }, telling: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    let site = try SiteFolder(folder, sparing: store.files)
    site.redaction = redaction
    // The pieces have the same keys.
    redaction?.expect(JSONLinesExport())
    redaction?.expect(SitePageFrame())
    do {
      return try write(store, into: site, redaction, isCancelled, telling)
    } catch {
      // An incomplete redacted site must not stay, and cannot be continued.
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
    // Saved first, so that an export killed at once can be continued.
    try site.keep(progress)
    var outcome = Outcome(keptCount: progress.messageCount)
    let writer = SiteWriter(
      progress, store: store, site: site, predicate: selection.predicate, zone: zone, address: address)
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

  /// Identifies the arguments of an export: the same ones continue an interrupted export.
  private var wish: String {
    let conversations =
      switch selection.conversations {
      case .all: "all"
      case .some(let ids): ids.map(\.rawValue).sorted().map(String.init).joined(separator: ",")
      }
    let predicate = PredicateText.text(of: selection.predicate)
    return
      "\(SiteWriter.format) \(conversations) \(predicate) \(zone.identifier) pages of '\(address ?? "")'"
  }

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
