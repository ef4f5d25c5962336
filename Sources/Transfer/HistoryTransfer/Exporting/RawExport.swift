internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Writes whole conversations as JSON Lines, one after the other, oldest first. They are divided into pieces,
/// which as many threads as may read at once (``StoreOptions/readerCount``) format in parallel; the results
/// are written in order. Memory holds three portions per thread.
struct RawExport {
  private let store: SynchronousMessageStore
  private let pieces: [Piece]
  private let names: [String]
  private let ids: [Conversation.ID]
  private let identities: [Conversation.ID: ConversationIdentity]
  private let format: JSONLinesExport

  private static let pieceCount = 2_048

  init(_ conversations: [Conversation], of store: SynchronousMessageStore, as format: JSONLinesExport) throws
  {
    self.store = store
    self.format = format
    names = conversations.map(\.name)
    ids = conversations.map(\.id)
    identities = try store.conversationIdentities()
    var pieces: [Piece] = []
    var (start, sum) = (0, 0)
    func close(_ end: Int) {
      if start < end { pieces.append(Piece(conversations: start..<end, ids: .lowest...(.highest))) }
      (start, sum) = (end, 0)
    }
    for (index, conversation) in conversations.enumerated() {
      // A short conversation costs a seek, about as much as a message.
      if sum.adding(conversation.messageCount) >= Self.pieceCount { close(index) }
      sum = sum.adding(max(conversation.messageCount, 0)).adding(1)
      guard conversation.messageCount > Self.pieceCount else { continue }
      let cuts = try store.cuts(of: conversation.id, every: Self.pieceCount)
      let (starts, ends) = ([Message.ID.lowest] + cuts, cuts.map(\.predecessor) + [.highest])
      pieces += zip(starts, ends).map { Piece(conversations: index..<index + 1, ids: $0...$1) }
      (start, sum) = (index + 1, 0)
    }
    close(conversations.count)
    self.pieces = pieces
  }

  func run(limit: Int?, isCancelled: () -> Bool, write: ([UInt8]) throws -> Void) throws -> Int {
    let threadCount = min(store.options.readerCount, pieces.count)
    if threadCount > 1, limit == nil { return try runAhead(threadCount, isCancelled, write: write) }
    var count = 0
    for piece in pieces where !isCancelled() && limit.map({ count < $0 }) ?? true {
      count += try finish(piece, limit: limit.map { $0 - count } ?? .max, write: write)
    }
    return count
  }

  private func runAhead(
    _ threadCount: Int, _ isCancelled: () -> Bool, write: ([UInt8]) throws -> Void
  ) throws -> Int {
    let threads = (0..<threadCount).map { first in
      var indices = stride(from: first, to: pieces.count, by: threadCount).makeIterator()
      return ReadAhead { indices.next().map { index in Result { try portion(of: pieces[index]) } } }
    }
    defer { for thread in threads { thread.stop() } }
    var count = 0
    for index in pieces.indices where !isCancelled() {
      guard let portion = try threads[index % threadCount].next()?.get() else { break }
      try write(portion.bytes)
      count += portion.count
      if let rest = portion.rest { count += try finish(rest, limit: .max, write: write) }
    }
    return count
  }

  private func finish(_ piece: Piece, limit: Int, write: ([UInt8]) throws -> Void) throws -> Int {
    var count = 0
    var rest: Piece? = piece
    while let piece = rest, count < limit {
      let portion = try portion(of: piece, limit: limit - count)
      try write(portion.bytes)
      count += portion.count
      rest = portion.rest
    }
    return count
  }

  private func portion(of piece: Piece, limit: Int = .max) throws -> Portion {
    var layout = try PortionLayout(
      store: store, format: format, names: names, ids: ids, identities: identities, piece: piece)
    return try layout.portion(limit: limit)
  }
}

private struct Piece {
  var conversations: Range<Int>
  /// From the first message of the first conversation to the last of the last.
  var ids: ClosedRange<Message.ID>

  var start: ConversationPlace { ConversationPlace(index: conversations.lowerBound, id: ids.lowerBound) }
}

private struct Portion: Sendable {
  var bytes: [UInt8] = []
  var count = 0
  var rest: Piece?
}

/// Formats messages: those without details from raw rows, others page by page, with longer pages where they
/// are frequent.
private struct PortionLayout {
  let store: SynchronousMessageStore
  var format: JSONLinesExport
  let names: [String]
  let ids: [Conversation.ID]
  let identities: [Conversation.ID: ConversationIdentity]
  let piece: Piece
  private let sessions: [Conversation.ID: SessionNote]
  /// The conversation of the last message formatted, or of the one before this piece.
  private var begun: Int?
  private var portion = Portion()
  private var pageSize = Self.pageSizes.lowerBound

  private static let byteLimit = 1 << 20
  private static let runCount = 2_048
  private static let pageSizes = 16...512

  init(
    store: SynchronousMessageStore, format: JSONLinesExport, names: [String], ids: [Conversation.ID],
    identities: [Conversation.ID: ConversationIdentity], piece: Piece
  ) throws(StoreError) {
    self.store = store
    self.format = format
    self.names = names
    self.ids = ids
    self.identities = identities
    self.piece = piece
    sessions = try store.hasSessions() ? store.sessionNotes(of: ids[piece.conversations]) : [:]
    begun = piece.ids.lowerBound == .lowest ? nil : piece.conversations.lowerBound
  }

  /// Returns the session of a conversation at its first message only.
  private mutating func session(of index: Int) -> SessionNote? {
    guard begun != index else { return nil }
    begun = index
    return sessions[ids[index]]
  }

  private var conversations: ArraySlice<Conversation.ID> { ids[piece.conversations] }

  mutating func portion(limit: Int) throws -> Portion {
    portion.bytes.reserveCapacity(Self.byteLimit)
    var next: ConversationPlace? = piece.start
    while let place = next, portion.count < limit {
      guard portion.bytes.count < Self.byteLimit else {
        // The remaining conversations are whole again.
        portion.rest = Piece(
          conversations: place.index..<piece.conversations.upperBound, ids: place.id...piece.ids.upperBound)
        break
      }
      next = try layOut(place, limit: limit - portion.count)
      // In a damaged tree the next id may be smaller, which would loop forever.
      if let following = next, following.index == place.index, following.id <= place.id {
        store.noteDamage("what comes after message #\(place.id) is not in its place")
        break
      }
    }
    return portion
  }

  private mutating func layOut(_ place: ConversationPlace, limit: Int) throws -> ConversationPlace? {
    var known: (index: Int, identity: ConversationIdentity?)?
    let run = try store.rawMessages(
      of: conversations, from: place, through: piece.ids.upperBound, limit: min(limit, Self.runCount)
    ) { index, message in
      if known?.index != index { known = (index, identities[ids[index]]) }
      format.write(
        message, conversation: names[index], identity: known?.identity, session: session(of: index),
        to: &portion.bytes)
      portion.count += 1
    }
    guard let run, run.isNextWhole, run.count < limit else { return run?.place }
    let isThick = run.count < pageSize
    pageSize = isThick ? min(pageSize * 2, Self.pageSizes.upperBound) : Self.pageSizes.lowerBound
    return try layOutPage(run.place, limit: min(limit - run.count, pageSize))
  }

  private mutating func layOutPage(_ place: ConversationPlace, limit: Int) throws -> ConversationPlace? {
    let page = try store.records(
      of: conversations, from: place, limit: limit, byteLimit: HistoryExport.pageByteCount)
    var index = place.index
    for record in page.records {
      guard let found = store.place(of: record, among: conversations[index...]) else { continue }
      index = found
      if index == conversations.endIndex - 1, record.message.id > piece.ids.upperBound { return nil }
      var written = ExportRecord(record, conversation: names[index])
      written.session = session(of: index)
      format.write(written, to: &portion.bytes)
      portion.count += 1
    }
    guard let next = page.next, next.index < conversations.endIndex - 1 || next.id <= piece.ids.upperBound
    else {
      return nil
    }
    return next
  }
}
