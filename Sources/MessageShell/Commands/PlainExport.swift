internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Writes whole conversations as JSON Lines, one after the other, oldest first.
///
/// They are cut into pieces. As many threads as may read at once (``StoreOptions/readerCount``) lay out a piece each,
/// and what they made is written in order. Memory holds three portions for each thread.
struct PlainExport {
  private let store: MessageStore
  private let pieces: [Piece]
  private let format: JSONLinesExport

  /// How many messages a piece has, if the store counts them right.
  private static let pieceCount = 2_048

  /// Prepares to write all of `conversations`.
  init(_ conversations: [Conversation], of store: MessageStore, as format: JSONLinesExport) throws {
    self.store = store
    self.format = format
    pieces = try conversations.flatMap { conversation in
      let cuts = try store.cuts(of: conversation.id, every: Self.pieceCount)
      let starts = [Message.ID.lowest] + cuts
      let ends = cuts.map(\.predecessor) + [.highest]
      return zip(starts, ends).map { Piece(conversation: conversation, ids: $0...$1) }
    }
  }

  /// Writes up to `limit` messages, all if it is `nil`, and returns how many they were.
  ///
  /// - Parameter isCancelled: Whether to stop behind the piece that is being written.
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

  /// Lays out all of a piece and writes it.
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
    var layout = PortionLayout(store: store, format: format, conversation: piece.conversation)
    return try layout.portion(of: piece.ids, limit: limit)
  }
}

/// Neighbouring messages of one conversation.
private struct Piece {
  var conversation: Conversation
  var ids: ClosedRange<Message.ID>
}

/// Messages as they are written.
private struct Portion: Sendable {
  var bytes: [UInt8] = []
  var count = 0
  /// What is left of the piece.
  var rest: Piece?
}

/// Lays messages out: those that have nothing but their row from bytes, the others page by page, longer pages where they
/// come thick.
private struct PortionLayout {
  let store: MessageStore
  var format: JSONLinesExport
  let conversation: Conversation
  private var portion = Portion()
  private var pageSize = Self.pageSizes.lowerBound

  /// How many bytes end a portion.
  private static let byteLimit = 1 << 20
  /// How many plain messages are read in one transaction.
  private static let runCount = 2_048
  private static let pageSizes = 16...512

  init(store: MessageStore, format: JSONLinesExport, conversation: Conversation) {
    self.store = store
    self.format = format
    self.conversation = conversation
  }

  /// Lays out messages from the first of `ids` on until there are `limit` or a portion is full.
  mutating func portion(of ids: ClosedRange<Message.ID>, limit: Int) throws -> Portion {
    portion.bytes.reserveCapacity(Self.byteLimit)
    var next: Message.ID? = ids.lowerBound
    while let start = next, portion.count < limit {
      guard portion.bytes.count < Self.byteLimit else {
        portion.rest = Piece(conversation: conversation, ids: start...ids.upperBound)
        break
      }
      next = try layOut(start...ids.upperBound, limit: limit - portion.count)
    }
    return portion
  }

  /// Lays out the next plain messages, or the next page if there are none; returns where to go on.
  private mutating func layOut(_ ids: ClosedRange<Message.ID>, limit: Int) throws -> Message.ID? {
    let run = try store.plainMessages(in: conversation.id, ids, limit: min(limit, Self.runCount)) {
      format.write($0, conversation: conversation.name, to: &portion.bytes)
      portion.count += 1
    }
    guard let run, run.isNextWhole, run.count < limit else { return run?.next }
    let isThick = run.count < pageSize
    pageSize = isThick ? min(pageSize * 2, Self.pageSizes.upperBound) : Self.pageSizes.lowerBound
    return try layOutPage(run.next...ids.upperBound, limit: min(limit - run.count, pageSize))
  }

  private mutating func layOutPage(_ ids: ClosedRange<Message.ID>, limit: Int) throws -> Message.ID? {
    let page = try store.records(
      FetchRequest(
        Selection(conversation.id), anchor: .after(ids.lowerBound.predecessor), fetchLimit: limit,
        wantsCounts: false), byteLimit: ExportCommand.pageByteCount)
    let records = page.records.prefix { $0.message.id <= ids.upperBound }
    for record in records {
      format.write(ExportRecord(record, conversation: conversation.name), to: &portion.bytes)
    }
    portion.count += records.count
    guard records.count == page.records.count, page.hasNewer, let last = records.last?.message.id,
      last < ids.upperBound
    else { return nil }
    return last.successor
  }
}
