package import Foundation
internal import HistoryPage
internal import HistoryQueries
internal import MessageInterchange
package import MessageModel
package import MessageStorage
internal import TerminalText

/// `export --format site`: writes a folder that a browser shows without any program: the page, and the messages in pieces
/// that it loads as it needs them (docs/site.md).
///
/// Memory holds a piece, the words of some hundred pieces, and what is listed of the last 500 conversations, however many
/// there are. Who is stopped goes on where it was.
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
    let wish = "\(choice) \(PredicateText.text(of: predicate)) \(zone.identifier)"
    var progress = try site.progress(for: wish, version) ?? SiteProgress(wish: wish, version: version)
    var outcome = Outcome(keptCount: progress.messageCount)
    let writer = SiteWriter(store: store, site: site, predicate: predicate, zone: zone)
    try each(of: wanted, in: store, after: progress.lastName) { conversation in
      try writer.write(conversation, &progress, isCancelled)
      telling(progress.messageCount)
      return !isCancelled()
    }
    outcome.isStopped = isCancelled()
    try writer.note(&progress)
    if !outcome.isStopped {
      try writer.finish(&progress)
      try check?.compare(progress.messageCount)
    }
    outcome.messageCount = progress.messageCount
    outcome.conversationCount = progress.conversationCount
    outcome.failedFileCount = progress.failedFileCount
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

/// Writes conversations, one after the other.
final class SiteWriter {
  private let store: SynchronousMessageStore
  private let site: SiteFolder
  private let predicate: MessagePredicate
  private let zone: TimeZone
  private var clock: WallClock
  private var words = SiteWords()
  private var files: SiteFiles
  /// The pieces written since it was noted how far it came.
  private var unnotedCount = 0

  private static let pageSize = 500
  private static let pageByteCount = 4 << 20

  init(store: SynchronousMessageStore, site: SiteFolder, predicate: MessagePredicate, zone: TimeZone) {
    (self.store, self.site, self.predicate, self.zone) = (store, site, predicate, zone)
    clock = WallClock(zone: zone)
    files = SiteFiles(store: store, site: site)
  }

  /// Writes a conversation, or what of it was not written yet.
  func write(_ conversation: Conversation, _ progress: inout SiteProgress, _ isCancelled: () -> Bool) throws {
    if progress.current?.id != conversation.id {
      progress.current = SiteConversation(conversation.id, firstPiece: progress.pieceCount)
    }
    let own = Selection(conversation.id, where: predicate)
    var piece = SitePiece()
    var anchor: PageAnchor = progress.current?.lastID.map { .after($0) } ?? .oldest
    while !isCancelled() {
      let page = try store.records(
        PageRequest(own, anchor: anchor, fetchLimit: Self.pageSize, wantsCounts: false),
        byteLimit: Self.pageByteCount)
      for record in page.records {
        let message = try SiteMessage(record, conversation.name, &files)
        if !piece.hasRoom(for: message) {
          try close(&piece, &progress)
          if isDue { try note(&progress) }
        }
        piece.append(message)
      }
      guard page.hasNewer, let last = page.records.last?.message.id else {
        try close(&piece, &progress)
        try finish(conversation, &progress)
        if isDue { try note(&progress) }
        return
      }
      anchor = .after(last)
    }
  }

  /// Writes a piece, if there is anything in it, and begins another.
  private func close(_ piece: inout SitePiece, _ progress: inout SiteProgress) throws {
    guard !piece.messages.isEmpty, var current = progress.current else { return }
    defer { piece = SitePiece() }
    let number = current.pieceCount
    try site.put("c/\(current.id.rawValue)/m/\(number)", piece.script(firstNumber: current.messageCount + 1))
    for message in piece.messages { words.add(message.text, piece: UInt32(progress.pieceCount)) }
    try current.add(piece, &clock, site)
    progress.messageCount += piece.messages.count
    progress.pieceCount += 1
    progress.failedFileCount += files.takeFailedCount()
    progress.current = current
    unnotedCount += 1
  }

  private func finish(_ conversation: Conversation, _ progress: inout SiteProgress) throws {
    guard var current = progress.current else { return }
    progress.current = nil
    progress.lastName = conversation.name
    // A filter lets nothing of many conversations through.
    guard current.messageCount > 0 else { return }
    try current.finish(site)
    progress.conversationCount += 1
    progress.listed.append(try current.listed(conversation))
    if progress.listed.count == SiteExport.listCount { try writeList(&progress) }
  }

  private func writeList(_ progress: inout SiteProgress) throws {
    try site.put(
      "conversations/\(progress.listCount)", "{\"conversations\":[\(progress.listed.joined(separator: ","))]}"
    )
    progress.listed = []
    progress.listCount += 1
  }

  private var isDue: Bool {
    unnotedCount >= SiteExport.stepPieceCount || words.postingCount >= SiteExport.stepPostingCount
  }

  /// Notes how far it came, so that another run goes on from here.
  func note(_ progress: inout SiteProgress) throws {
    if !words.isEmpty {
      try site.write(words.run(), to: SiteFolder.run(progress.runCount))
      words = SiteWords()
      progress.runCount += 1
    }
    try site.keep(progress)
    unnotedCount = 0
  }

  /// Writes what is told of all conversations, and the page.
  func finish(_ progress: inout SiteProgress) throws {
    // Also where there is nothing: the page reads the first list.
    if !progress.listed.isEmpty || progress.listCount == 0 { try writeList(&progress) }
    let merge = try SiteWordMerge((0..<progress.runCount).map { site.path(of: SiteFolder.run($0)) })
    let searchPieceCount = try merge.write(to: site)
    struct Index: Encodable {
      let format = 1
      let timeZone: String
      let messages: Int
      let conversations: Int
      let conversationPieces: Int
      let pieces: Int
      let searchPieces: Int
    }
    let index = Index(
      timeZone: zone.identifier, messages: progress.messageCount, conversations: progress.conversationCount,
      conversationPieces: progress.listCount, pieces: progress.pieceCount, searchPieces: searchPieceCount)
    let document = String(decoding: PageFiles.document, as: UTF8.self)
      .replacing(
        "name=\"scrollback-source\" content=\"server\"", with: "name=\"scrollback-source\" content=\"site\"")
    try site.write(Array(document.utf8), to: "index.html")
    try site.write(PageFiles.styleSheet, to: "page.css")
    try site.write(PageFiles.script, to: "page.js")
    try site.write(PageFiles.siteScript, to: "site.js")
    try site.write(PageFiles.icon, to: "icon.svg")
    try site.put("index", String(decoding: AnswerEncoder.bytes(of: index), as: UTF8.self))
    site.forgetProgress()
  }
}
