internal import GRDB
internal import MessageModel

/// Ordinals and totals of one selection.
///
/// The ordinal index counts one conversation or all of them, also under a filter by a facet, and sums of
/// these (``SelectionUnion``, ``JointOrdinals``). Lists of ids from indexes are walked once and kept
/// (``CountedIDs``). Under other filters small selections are counted row by row; large ones use background
/// counts or estimates from a few blocks.
struct Counter {
  private let db: Database
  private let reader: PageReader
  private let selection: Selection
  /// The parts of the selection, or of a superset; no message is in two of them.
  private let scopes: [Ordinals]
  private let strategy: Strategy

  private indirect enum Strategy {
    case indexed, rowByRow, alongIDs
    /// All messages of one counter but those of the other.
    case difference(Counter, Counter)
    /// All messages of the selection.
    case listed([Int64])
    case scanned(ScannedCounts)
    /// The estimated share of all messages that belongs to the selection.
    case estimated(Double)
  }

  init(
    _ selection: Selection, in db: Database, reader: PageReader, known: ScannedCounts? = nil,
    mayEstimate: Bool = false
  ) throws {
    self.db = db
    self.reader = reader
    let selection = try reader.saved == nil ? selection.placed(in: db) : selection
    self.selection = selection
    let gathered = reader.saved == nil ? selection.gathered : selection
    let filter = FacetFilter(gathered.predicate)
    let saved = reader.saved.flatMap { $0.isExact ? $0 : nil }
    let counted = filter ?? saved?.facetFilter ?? FacetFilter()
    var scopes: [Ordinals] = []
    if filter == nil, let union = reader.union {
      scopes = try union.ordinals(in: gathered.conversations, db)
    } else {
      switch gathered.conversations {
      case .all: scopes = [Ordinals(db: db, scope: 0, filter: counted)]
      case .some(let ids):
        scopes = ids.sorted().map { Ordinals(db: db, scope: $0.rawValue, filter: counted) }
      }
    }
    // Members of saved filters are counted without a change of the store's version.
    if scopes.count > 1, reader.saved == nil {
      let kept = try reader.names.counts.reading(in: db)
      for index in scopes.indices { scopes[index].kept = kept }
    }
    self.scopes = scopes
    if let listed = reader.listed {
      strategy = .listed(listed)
    } else if filter != nil || saved != nil || reader.union?.isCounted == true {
      strategy = .indexed
    } else if reader.countsByIDs {
      strategy = .alongIDs
    } else if !mayEstimate, let (all, excluded) = try Self.difference(selection, in: db, reader) {
      strategy = .difference(all, excluded)
    } else if let known, try known.version == SourceVersion(of: selection, in: db) {
      strategy = .scanned(known)
    } else if mayEstimate, try Self.sum(scopes) > Self.fewMessages {
      let base = try Self.sum(scopes)
      let ratio =
        try reader.saved?.ratio(in: db)
        ?? known.map {
          Double($0.total)
            / Double(max(gathered == selection && reader.union == nil ? $0.baseTotal : base, 1))
        }
      strategy = .estimated(
        try min(
          ratio ?? Self.sampledRatio(reader, scopes)
            ?? Self.sampledRatio(gathered, scopes, in: db, reader.names.beginnings), 1))
    } else {
      strategy = .rowByRow
    }
  }

  /// For a selection that leaves out words: counters without that condition, and of what it leaves out.
  private static func difference(
    _ selection: Selection, in db: Database, _ reader: PageReader
  ) throws -> (Counter, Counter)? {
    guard reader.saved == nil else { return nil }
    var (rest, excluded): ([MessagePredicate], [MessagePredicate]) = ([], [])
    for part in selection.predicate.conjuncts {
      if let inner = try part.excluded, case .matching = inner {
        excluded.append(inner)
      } else {
        rest.append(part)
      }
    }
    guard !excluded.isEmpty else { return nil }
    func counter(_ parts: [MessagePredicate]) throws -> Counter {
      let selection = Selection(selection.conversations, where: .all(of: parts))
      return try Counter(
        selection, in: db, reader: PageReader(selection, in: db, names: reader.names))
    }
    let all = try counter(rest)
    guard all.isIndexed else { return nil }
    let without = try counter(rest + [excluded.count == 1 ? excluded[0] : .or(excluded)])
    return without.isAlongIDs ? (all, without) : nil
  }

  /// Up to this number, messages are read rather than estimated: some milliseconds.
  private static let fewMessages = 8 * OrdinalIndex.blockLimit
  private static let sampledBlocks = 4

  var isIndexed: Bool {
    if case .indexed = strategy { true } else { false }
  }

  var isReady: Bool {
    switch strategy {
    case .indexed, .listed, .alongIDs: true
    case .rowByRow, .difference, .scanned, .estimated: false
    }
  }

  var isAlongIDs: Bool {
    if case .alongIDs = strategy { true } else { false }
  }

  var isExact: Bool {
    if case .estimated = strategy { false } else { true }
  }

  private static func sampledRatio(_ reader: PageReader, _ scopes: [Ordinals]) throws -> Double? {
    guard let union = reader.merged, !union.isCounted else { return nil }
    let joint = Self.joint(scopes, reader, of: union)
    let total = try sum(scopes)
    var (seen, found) = (0, 0)
    for sample in 0..<sampledBlocks {
      guard let first = try joint.id(at: total / (2 * sampledBlocks) * (2 * sample + 1)) else { continue }
      let look = try reader.sample(union, from: first, of: OrdinalIndex.blockLimit)
      (seen, found) = (seen + look.seen, found + look.found)
    }
    return max(Double(found), 0.5) / Double(max(seen, 1))
  }

  private static func joint(
    _ scopes: [Ordinals], _ reader: PageReader, of union: SelectionUnion?
  ) -> JointOrdinals {
    let everything = union.map { SelectionUnion(counting: $0) }
    return JointOrdinals(
      scopes: scopes, reading: scopes.first?.kept ?? KeptCounts.unshared,
      edges: {
        let oldest = try reader.edge(.newer, .lowest)
        let newest = try reader.edge(.older, .highest)
        return oldest.flatMap { oldest in newest.map { ClosedRange(from: oldest.rawValue, to: $0.rawValue) } }
      },
      step: everything.map { union in
        { direction, id, count in
          var places = try PlaceMerge(union, direction, from: id, limit: count + 1, in: reader.db)
          for _ in 0..<count { _ = try places.next() }
          return try places.next().map { Message.ID(rawValue: $0.id) }
        }
      })
  }

  private static func sum(_ scopes: [Ordinals]) throws -> Int {
    try scopes.reduce(0) { try $0.adding($1.total()) }
  }

  private static func sampledRatio(
    _ selection: Selection, _ scopes: [Ordinals], in db: Database, _ beginnings: WordBeginnings
  ) throws -> Double {
    var (seen, found) = (0, 0)
    for sample in 0..<sampledBlocks {
      let scope = scopes[sample % scopes.count]
      let ordinal = try scope.total() / (2 * sampledBlocks) * (2 * sample + 1)
      guard let first = try scope.id(at: ordinal) else { continue }
      let last = try scope.id(at: ordinal + OrdinalIndex.blockLimit) ?? .highest
      let range = first.rawValue...max(first.rawValue, last.predecessor.rawValue)
      let one = Conversation.ID(rawValue: scope.scope)
      let counting = try BlockCount(
        scope.scope == 0 ? selection : Selection(one, where: selection.predicate), in: db, beginnings)
      seen += try max(scope.ordinal(of: last) - ordinal, 0)
      found += try counting.count(in: range)
    }
    // Finding nothing in a few blocks does not prove that there is nothing.
    return max(Double(found), 0.5) / Double(max(seen, 1))
  }

  static func sampledRatio(
    _ selection: Selection, in db: Database, _ beginnings: WordBeginnings
  ) throws -> Double {
    try sampledRatio(selection, [Ordinals(db: db, scope: 0, filter: FacetFilter())], in: db, beginnings)
  }

  func total() throws -> Int {
    switch strategy {
    case .indexed: try indexedOrdinal(of: nil)
    case .rowByRow: try counted(below: nil)
    case .alongIDs: try reader.totalOfIDs()
    case .difference(let all, let excluded): max(try all.total().adding(-excluded.total()), 0)
    case .listed(let ids): ids.count
    case .scanned(let counts): counts.total
    case .estimated(let ratio): Int((Double(try Self.sum(scopes)) * ratio).rounded())
    }
  }

  func ordinal(of id: Message.ID) throws -> Int {
    switch strategy {
    case .indexed: return try indexedOrdinal(of: id)
    case .rowByRow: return try counted(below: id)
    case .alongIDs: return try reader.ordinalOfIDs(id)
    case .difference(let all, let excluded):
      return max(try all.ordinal(of: id).adding(-excluded.ordinal(of: id)), 0)
    case .listed(let ids): return ids.lowerBound(id.rawValue)
    case .scanned(let counts):
      guard let block = counts.block(holding: id.rawValue), block.first < id.rawValue else { return 0 }
      return block.before
        + (try BlockCount(selection, in: db, reader.names.beginnings).count(
          in: block.first...(id.rawValue - 1)))
    case .estimated(let ratio): return Int((Double(try indexedOrdinal(of: id)) * ratio).rounded())
    }
  }

  var ascending: AscendingOrdinals {
    AscendingOrdinals(self, adding: isIndexed && reader.saved == nil ? scopes : nil)
  }

  /// Returns the message with `ordinal`. An estimate is near it, and need not be in the selection.
  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0 else { return nil }
    switch strategy {
    case .indexed: return try indexedID(at: ordinal)
    case .rowByRow: return try scanned(to: ordinal)
    case .alongIDs: return try reader.idOfIDs(at: ordinal)
    case .difference:
      return try ordinal < total() ? searchedID(at: ordinal) { try self.ordinal(of: $0) } : nil
    case .listed(let ids): return ordinal < ids.count ? Message.ID(rawValue: ids[ordinal]) : nil
    case .scanned(let counts):
      guard let block = counts.block(at: ordinal) else { return nil }
      return try BlockCount(selection, in: db, reader.names.beginnings).id(
        from: block.first, offset: ordinal - block.before)
    case .estimated(let ratio):
      let last = try Self.sum(scopes) - 1
      return try ratio > 0 ? indexedID(at: min(Int(Double(ordinal) / ratio), last)) : nil
    }
  }

  private func indexedOrdinal(of id: Message.ID?) throws -> Int {
    try scopes.reduce(0) { sum, scope in
      let count = try id.map { try scope.ordinal(of: $0) } ?? scope.total()
      return sum.adding(count + (reader.saved?.correction(below: id, in: scope.scope) ?? 0))
    }
  }

  private func indexedID(at ordinal: Int) throws -> Message.ID? {
    if reader.saved?.waiting?.isEmpty ?? true {
      let isPlain = reader.saved == nil && (isIndexed || reader.union != nil)
      return try scopes.count == 1
        ? scopes[0].id(at: ordinal)
        : Self.joint(scopes, reader, of: isPlain ? reader.merged : nil).id(at: ordinal)
    }
    return try ordinal < indexedOrdinal(of: nil) ? searchedID(at: ordinal, by: indexedOrdinal) : nil
  }

  /// Returns the last id that has no more than `ordinal` messages before it.
  private func searchedID(at ordinal: Int, by count: (Message.ID) throws -> Int) throws -> Message.ID? {
    guard let oldest = try reader.edge(.newer, .lowest), let newest = try reader.edge(.older, .highest) else {
      return nil
    }
    var (low, high) = (oldest.rawValue, newest.rawValue)
    while low < high {
      let distance = UInt64(bitPattern: high &- low)
      let middle = low &+ Int64(distance / 2 + distance % 2)
      if try count(Message.ID(rawValue: middle)) <= ordinal {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return Message.ID(rawValue: low)
  }

  private func counted(below id: Message.ID?) throws -> Int {
    if let union = reader.merged { return try reader.count(of: union, below: id) }
    var count = 0
    for scope in scopes {
      let statement = try RawStatement(
        db, "SELECT count(*) FROM message WHERE \(place(scope)) AND id < ?1\(condition)",
        (id ?? .highest).rawValue)
      if scope.scope != 0 { statement.bind(scope.scope, at: 2) }
      reader.predicate.bind(to: statement)
      defer { statement.reset() }
      if try statement.step() { count += statement.count(0) }
    }
    return count
  }

  private func scanned(to ordinal: Int) throws -> Message.ID? {
    if let union = reader.merged { return try reader.id(at: ordinal, of: union) }
    let place =
      scopes.contains { $0.scope == 0 }
      ? "1" : "conversation IN (\(scopes.map { String($0.scope) }.joined(separator: ",")))"
    let statement = try RawStatement(
      db, "SELECT id FROM message WHERE \(place)\(condition) ORDER BY id LIMIT 1 OFFSET ?1", ordinal)
    reader.predicate.bind(to: statement)
    return try statement.first { row in Message.ID(rawValue: row.int(0)) }
  }

  private var condition: String { reader.predicate.setTest.map { " AND \($0)" } ?? "" }

  private func place(_ scope: Ordinals) -> String { scope.scope == 0 ? "1" : "conversation = ?2" }
}
