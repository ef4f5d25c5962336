internal import GRDB
internal import MessageModel

/// Merges the places of a union's messages: ranges of its conversations and of the index of its senders.
///
/// Each source is read some rows at a time. With very many sources, such as a person's ten thousand accounts,
/// blocks are searched first, for as long as asking every source would take: they contain the frequent
/// senders.
struct PlaceMerge {
  struct Place: Hashable {
    var conversation: Int64
    var id: Int64
  }

  private let db: Database
  private let union: SelectionUnion
  private let direction: PageReader.Direction
  private var ids: ClosedRange<Int64>?
  private let limit: Int

  private var found: ArraySlice<Place> = []
  private var blocks: BlockWalk?
  private var blocksLeft: Int
  private var sources: SourceHeap?
  private var last: Int64?

  /// The sources asked in the time of searching a block.
  private static let sourcesPerBlock = 128

  init(
    _ union: SelectionUnion, _ direction: PageReader.Direction, from id: Message.ID, limit: Int,
    in db: Database
  ) throws {
    (self.db, self.union, self.direction, self.limit) = (db, union, direction, limit)
    let range = union.ids
    switch direction {
    case .older where id >= range.lowerBound:
      ids = range.lowerBound.rawValue...min(id, range.upperBound).rawValue
    case .newer where id <= range.upperBound:
      ids = max(id, range.lowerBound).rawValue...range.upperBound.rawValue
    case .older, .newer: ids = nil
    }
    let count = union.conversations.count + union.senders.count
    blocksLeft = count / Self.sourcesPerBlock
    if blocksLeft > 0, let ids {
      blocks = BlockWalk(
        db: db, scope: 0, facets: [], direction: direction,
        place: direction == .older ? ids.upperBound : ids.lowerBound)
    }
  }

  mutating func next() throws -> Place? {
    while found.isEmpty, blocksLeft > 0 { try lookThroughBlock() }
    if let place = found.popFirst() { return place }
    guard let ids else { return nil }
    var heap = try sources ?? SourceHeap(union, direction, ids, limit: limit, in: db)
    sources = nil
    defer { sources = heap }
    while let place = try heap.next() {
      guard place.id != last else { continue }
      last = place.id
      return place
    }
    return nil
  }

  private mutating func lookThroughBlock() throws {
    guard let ids, let block = try blocks?.next() else {
      blocksLeft = 0
      self.ids = nil
      return
    }
    blocksLeft -= 1
    let span = ClosedRange(from: block.lowerBound, to: block.upperBound).clamped(to: ids)
    found = try places(in: span)[...]
    switch direction {
    case .older: self.ids = span.lowerBound > ids.lowerBound ? ids.lowerBound...(span.lowerBound - 1) : nil
    case .newer: self.ids = span.upperBound < ids.upperBound ? (span.upperBound + 1)...ids.upperBound : nil
    }
    if self.ids == nil { blocksLeft = 0 }
  }

  private func places(in span: ClosedRange<Int64>) throws -> [Place] {
    let statement = try RawStatement(
      db,
      """
      SELECT conversation, id, sender FROM message WHERE id BETWEEN ?1 AND ?2
        ORDER BY id \(direction == .older ? "DESC" : "ASC")
      """, span.lowerBound, span.upperBound)
    var places: [Place] = []
    try statement.each { row in
      let isMeant =
        union.conversations.contains(Conversation.ID(rawValue: row.int(0)))
        || row.optionalInt(2).map { union.senders.contains(Sender.ID(rawValue: $0)) } ?? false
      if isMeant { places.append(Place(conversation: row.int(0), id: row.int(1))) }
    }
    return places
  }
}

/// The sources of a merge, the nearest place first.
private struct SourceHeap {
  private struct Source {
    let isSender: Bool
    let number: Int64
    var places: ArraySlice<PlaceMerge.Place> = []
    var chunk: Int
    var hasMore = true
  }

  private let direction: PageReader.Direction
  private let ids: ClosedRange<Int64>
  private let ofConversation: RawStatement?
  private let ofSender: RawStatement?
  private var sources: [Source] = []

  private static let maxChunk = 256

  init(
    _ union: SelectionUnion, _ direction: PageReader.Direction, _ ids: ClosedRange<Int64>, limit: Int,
    in db: Database
  ) throws {
    (self.direction, self.ids) = (direction, ids)
    let tail = "id BETWEEN ?2 AND ?3 ORDER BY id \(direction == .older ? "DESC" : "ASC") LIMIT ?4"
    ofConversation =
      union.conversations.isEmpty
      ? nil
      : try RawStatement(db, "SELECT conversation, id FROM message WHERE conversation = ?1 AND \(tail)")
    ofSender =
      union.senders.isEmpty
      ? nil
      : try RawStatement(
        db, "SELECT conversation, id FROM message INDEXED BY message_sender WHERE sender = ?1 AND \(tail)")
    let count = union.conversations.count + union.senders.count
    let chunk = min(max(min(limit, 1_024) * 2 / max(count, 1), 2), Self.maxChunk)
    for id in union.conversations { try add(Source(isSender: false, number: id.rawValue, chunk: chunk)) }
    for id in union.senders { try add(Source(isSender: true, number: id.rawValue, chunk: chunk)) }
    for index in stride(from: sources.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  private mutating func add(_ source: Source) throws {
    var source = source
    try fill(&source, from: direction == .older ? ids.upperBound : ids.lowerBound)
    if !source.places.isEmpty { sources.append(source) }
  }

  mutating func next() throws -> PlaceMerge.Place? {
    guard let place = sources.first?.places.first else { return nil }
    sources[0].places.removeFirst()
    if sources[0].places.isEmpty, sources[0].hasMore { try fillFirst(after: place.id) }
    if sources[0].places.isEmpty {
      sources.swapAt(0, sources.count - 1)
      sources.removeLast()
    }
    sink(0)
    return place
  }

  private mutating func fillFirst(after id: Int64) throws {
    guard direction == .older ? id > ids.lowerBound : id < ids.upperBound else {
      sources[0].hasMore = false
      return
    }
    sources[0].chunk = min(sources[0].chunk * 2, Self.maxChunk)
    var source = sources[0]
    try fill(&source, from: direction == .older ? id - 1 : id + 1)
    sources[0] = source
  }

  private func fill(_ source: inout Source, from id: Int64) throws {
    guard let statement = source.isSender ? ofSender : ofConversation else { return }
    switch direction {
    case .older: statement.bind(source.number, ids.lowerBound, id, source.chunk)
    case .newer: statement.bind(source.number, id, ids.upperBound, source.chunk)
    }
    let places = try statement.map { PlaceMerge.Place(conversation: $0.int(0), id: $0.int(1)) }
    source.hasMore = places.count == source.chunk
    source.places = places[...]
  }

  private func isNearer(_ a: Int, _ b: Int) -> Bool {
    guard let first = sources[a].places.first?.id, let second = sources[b].places.first?.id else {
      return false
    }
    return direction == .older ? first > second : first < second
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var nearest = index
      for child in [2 * index + 1, 2 * index + 2] where child < sources.count && isNearer(child, nearest) {
        nearest = child
      }
      guard nearest != index else { return }
      sources.swapAt(index, nearest)
      index = nearest
    }
  }
}
