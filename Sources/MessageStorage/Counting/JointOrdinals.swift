internal import MessageModel

/// The message with an ordinal among those of several scopes, none of which is in two of them.
///
/// The counts of all scopes tell between which ids it must lie. What is coarse there is looked at more closely, the largest
/// first, until little is left between them.
struct JointOrdinals {
  let scopes: [Ordinals]
  /// The first and last id that there is.
  let edges: () throws -> ClosedRange<Int64>?
  /// Returns the id of a message so many steps from a place, the first one being 0; `nil` if messages can only be counted.
  let step: ((PageReader.Direction, Message.ID, Int) throws -> Message.ID?)?

  /// The messages that a level counts from an id on, up to the next such id of its scope.
  private struct Piece {
    let first: Int64
    let count: Int
    let scope: Int
    let isCoarse: Bool
  }

  /// The ids between which the message lies, and how many messages there are at least before the first and at most before
  /// what is after the last.
  private struct Bracket {
    var ids: ClosedRange<Int64>
    var before: Int
    var through: Int
    /// The place in the list of pieces of the largest one that could be looked at more closely.
    var coarsest: Int?
  }

  /// The number of pieces that are looked at more closely; of more scopes ordinals are asked instead.
  private static let mostRefinements = 48
  /// So many messages are gone along rather than asking for another ordinal.
  private static let mostSteps = 512
  /// The number of guesses by proportion; then halves are tried.
  private static let mostGuesses = 4

  /// Returns the id of the message with `ordinal`, counted from 0; `nil` if there is none.
  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0, let range = scopes.first?.filter.ids else { return nil }
    // All scopes have the same range. Without one, the counts of their blocks say whether there are so many.
    guard try range == FacetFilter.allIDs || ordinal < total() else { return nil }
    let wanted = try ordinal.adding(scopes.reduce(0) { try $0.adding($1.countOutside()) })
    guard let (bracket, pieces) = try bracket(around: wanted), let edges = try edges() else { return nil }
    let ids = bracket.ids.clamped(to: range.lowerBound.rawValue...range.upperBound.rawValue)
    // The first block begins, and the last one ends, far from any message.
    return try found(wanted, in: ids.clamped(to: edges), Proportions(pieces, scopes.count, within: edges))
  }

  private func total() throws -> Int { try scopes.reduce(0) { try $0.adding($1.total()) } }

  /// Returns how many messages have a lesser id, whatever range of ids counts.
  private func ordinal(of id: Int64) throws -> Int {
    try scopes.reduce(0) { try $0.adding($1.unbounded(of: Message.ID(rawValue: id))) }
  }

  // MARK: By the counts of blocks

  private func bracket(around wanted: Int) throws -> (Bracket, [Piece])? {
    var pieces: [Piece] = []
    for (index, scope) in scopes.enumerated() {
      try scope.forEachEntry(.superblocks, in: .min ... .max) { entry in
        pieces.append(Piece(first: entry.first, count: entry.count, scope: index, isCoarse: true))
        return true
      }
    }
    pieces.sort { $0.first < $1.first }
    for _ in 0..<Self.mostRefinements {
      guard let bracket = sweep(pieces, to: wanted) else { return nil }
      guard let coarsest = bracket.coarsest, bracket.through - bracket.before > Self.mostSteps else {
        return (bracket, pieces)
      }
      try refine(&pieces, coarsest)
    }
    return sweep(pieces, to: wanted).map { ($0, pieces) }
  }

  /// Replaces a super-block by its blocks.
  private func refine(_ pieces: inout [Piece], _ index: Int) throws {
    let piece = pieces.remove(at: index)
    let scope = scopes[piece.scope]
    let span = try scope.lookup.span(.superblocks, holding: piece.first)
    var blocks: [Piece] = []
    try scope.forEachEntry(.blocks, in: span) { entry in
      blocks.append(Piece(first: entry.first, count: entry.count, scope: piece.scope, isCoarse: false))
      return true
    }
    var merged: [Piece] = []
    merged.reserveCapacity(pieces.count + blocks.count)
    var rest = blocks[...]
    for piece in pieces {
      while let block = rest.first, block.first < piece.first { merged.append(rest.removeFirst()) }
      merged.append(piece)
    }
    pieces = merged + rest
  }

  /// Goes along all pieces to where the message must lie.
  private func sweep(_ pieces: [Piece], to wanted: Int) -> Bracket? {
    // Where the piece lies that holds the place that was reached, by scope.
    var holders = [Int?](repeating: nil, count: scopes.count)
    var (least, most) = (0, 0)
    var bracket: Bracket?
    var open: [Int] = []
    for (index, piece) in pieces.enumerated() {
      least = least.adding(holders[piece.scope].map { pieces[$0].count } ?? 0)
      if let found = bracket, least > wanted {
        bracket?.ids = ClosedRange(from: found.ids.lowerBound, to: piece.first.adding(-1))
        break
      }
      most = most.adding(piece.count)
      holders[piece.scope] = index
      if bracket != nil {
        open.append(index)
      } else if most > wanted {
        bracket = Bracket(ids: piece.first ... .max, before: least, through: most)
        open = holders.compactMap { $0 }
      }
    }
    bracket?.through = most
    bracket?.coarsest = open.filter { pieces[$0].isCoarse && pieces[$0].count > 0 }.max {
      pieces[$0].count < pieces[$1].count
    }
    return bracket
  }

  // MARK: By ordinals

  /// Finds the greatest id with at most so many messages before it.
  private func found(
    _ wanted: Int, in ids: ClosedRange<Int64>, _ proportions: Proportions
  ) throws -> Message.ID? {
    var (low, high) = (ids.lowerBound, ids.upperBound)
    // What a guess has missed by, the next one makes up for.
    var target = Double(wanted)
    var guesses = 0
    while low < high {
      let place =
        guesses < Self.mostGuesses
        ? max(proportions.place(of: target, in: low...high), low + 1) : Self.middle(low...high)
      guesses += 1
      let here = try ordinal(of: place)
      if let step, abs(wanted - here) <= Self.mostSteps {
        return wanted >= here
          ? try step(.newer, Message.ID(rawValue: place), wanted - here)
          : try step(.older, Message.ID(rawValue: place - 1), here - wanted - 1)
      }
      target += Double(wanted - here)
      if here <= wanted { low = place } else { high = place - 1 }
    }
    return Message.ID(rawValue: low)
  }

  private static func middle(_ ids: ClosedRange<Int64>) -> Int64 {
    let distance = UInt64(bitPattern: ids.upperBound &- ids.lowerBound)
    return ids.lowerBound &+ Int64(distance / 2 + distance % 2)
  }

  /// The places of messages if those of each piece were equally far from each other.
  private struct Proportions {
    private var spans: [(first: Double, length: Double, count: Double)] = []

    /// - Parameter edges: The first and last id that there is.
    init(_ pieces: [Piece], _ scopeCount: Int, within edges: ClosedRange<Int64>) {
      var ends = [Int64](repeating: edges.upperBound, count: scopeCount)
      for piece in pieces.reversed() {
        let first = max(piece.first, edges.lowerBound)
        let end = ends[piece.scope]
        ends[piece.scope] = min(end, first)
        spans.append((Double(first), max(Double(end) - Double(first), 1), Double(piece.count)))
      }
    }

    /// The number of steps to a place: they leave a millionth of the way.
    private static let halvings = 20

    /// Returns the place with so many messages before it.
    func place(of target: Double, in ids: ClosedRange<Int64>) -> Int64 {
      var (low, high) = (ids.lowerBound, ids.upperBound)
      for _ in 0..<Self.halvings where low < high {
        let middle = JointOrdinals.middle(low...high)
        if count(before: Double(middle)) <= target { low = middle } else { high = middle - 1 }
      }
      return low
    }

    private func count(before place: Double) -> Double {
      spans.reduce(0) { $0 + $1.count * min(max((place - $1.first) / $1.length, 0), 1) }
    }
  }
}
