internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

final class SiteWriter {
  /// The progress as of the last complete piece, from which another run continues.
  private(set) var written: SiteProgress
  var progress: SiteProgress
  private var piece = SitePiece()
  /// The open page of the present conversation.
  var page: SitePage?
  let store: SynchronousMessageStore
  let site: SiteFolder
  let predicate: MessagePredicate
  let zone: TimeZone
  /// The address that the site will have, without a slash at its end.
  let address: String?
  private let files: SiteFiles
  private var dialects: ConversationDialects
  var clock: WallClock
  private var words = SiteWords()
  private var unnotedCount = 0

  /// The version of the folder's format (docs/site.md).
  static let format = 3

  init(
    _ progress: SiteProgress, store: SynchronousMessageStore, site: SiteFolder, predicate: MessagePredicate,
    zone: TimeZone, address: String?
  ) {
    (written, self.progress) = (progress, progress)
    (self.store, self.site, self.predicate, self.zone) = (store, site, predicate, zone)
    self.address = address
    clock = WallClock(zone: zone)
    files = SiteFiles(store: store, site: site)
    dialects = ConversationDialects(store)
  }

  var messageCount: Int { progress.messageCount }

  func write(_ whole: Conversation, _ isCancelled: () -> Bool) throws {
    let conversation = site.redaction?.listed(whole) ?? whole
    var current = progress.current ?? SiteConversation(conversation.id)
    if current.id != conversation.id { current = SiteConversation(conversation.id) }
    try reopenPage(of: whole, current)
    let own = Selection(conversation.id, where: predicate)
    let isWhole = try each(own, of: whole, after: current.lastID, isCancelled) {
      try append($0, to: &current)
    }
    guard isWhole, try finishPages(of: whole, as: conversation.name, &current, isCancelled) else { return }
    try finish(conversation, &current)
  }

  /// Reads messages in their order, and returns whether it was not stopped before the last one.
  func each(
    _ selection: Selection, of whole: Conversation, after id: Message.ID? = nil,
    _ isCancelled: () -> Bool = { false }, _ body: (SiteMessage) throws -> Void
  ) throws -> Bool {
    let dialect = try dialects.dialect(of: whole.id)
    var anchor: PageAnchor = id.map { .after($0) } ?? .oldest
    while !isCancelled() {
      let page = try store.records(
        PageRequest(selection, anchor: anchor, fetchLimit: HistoryExport.pageSize, wantsCounts: false),
        byteLimit: HistoryExport.pageByteCount)
      for record in page.records { try body(SiteMessage(record, whole.name, as: dialect, files)) }
      guard page.hasNewer, let last = page.records.last?.message.id else { return true }
      anchor = .after(last)
    }
    return false
  }

  private func append(_ message: SiteMessage, to current: inout SiteConversation) throws {
    if !piece.hasRoom(for: message) {
      progress.current = current
      try close()
    }
    let number = current.messageCount + 1
    let day = try current.add(message, piece: progress.pieceCount, &clock, site)
    piece.append(message, of: current.id, number: number, day: day)
    try addToPages(message, on: day, of: &current)
  }

  private func close() throws {
    if piece.count > 0 {
      try site.put("m/\(progress.pieceCount)", piece.script())
      piece.eachText { words.add($0, piece: UInt32(progress.pieceCount)) }
      progress.messageCount += piece.count
      progress.failedFileCount += piece.failedFileCount
      progress.pieceCount += 1
      unnotedCount += 1
      piece = SitePiece()
    }
    written = progress
    if unnotedCount >= SiteExport.stepPieceCount || words.postingCount >= SiteExport.stepPostingCount {
      try note()
    }
  }

  private func finish(_ conversation: Conversation, _ current: inout SiteConversation) throws {
    progress.current = nil
    progress.lastName = conversation.name
    // A filter may match nothing in a conversation.
    guard current.messageCount > 0 else { return }
    try current.finish(site)
    progress.conversationCount += 1
    progress.listed.append(try current.listed(conversation))
    if progress.listed.count == SiteExport.listCount { try writeList() }
  }

  private func writeList() throws {
    try site.put(
      "conversations/\(progress.listCount)", "{\"conversations\":[\(progress.listed.joined(separator: ","))]}"
    )
    progress.listed = []
    progress.listCount += 1
  }

  /// Saves the progress, so that another run can continue here.
  func note() throws {
    if !words.isEmpty {
      try site.write(words.run(), to: SiteFolder.run(written.runCount))
      words = SiteWords()
      written.runCount += 1
      progress.runCount += 1
    }
    try site.keep(written)
    unnotedCount = 0
  }

  func finish(_ page: [(name: String, bytes: [UInt8])]) throws {
    try close()
    // Also if it is empty: the page reads the first list.
    if !progress.listed.isEmpty || progress.listCount == 0 { try writeList() }
    written = progress
    try note()
    let merge = try SiteWordMerge((0..<written.runCount).map { site.path(of: SiteFolder.run($0)) })
    let searchPieceCount = try merge.write(to: site)
    files.finish()
    try finishPages()
    for file in page { try site.write(file.bytes, to: file.name, isOurs: true) }
    try site.put("index", AnswerEncoder.bytes(of: index(searchPieceCount)))
    site.forgetProgress()
  }

  private struct Index: Encodable {
    let format: Int
    let timeZone: String
    let messages: Int
    let conversations: Int
    let conversationPieces: Int
    let pieces: Int
    let searchPieces: Int
  }

  private func index(_ searchPieceCount: Int) -> Index {
    Index(
      format: Self.format, timeZone: zone.identifier, messages: written.messageCount,
      conversations: written.conversationCount, conversationPieces: written.listCount,
      pieces: written.pieceCount, searchPieces: searchPieceCount)
  }
}
