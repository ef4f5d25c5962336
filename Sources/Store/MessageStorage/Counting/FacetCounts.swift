struct FacetCounts {
  /// For all kinds and features, and the first senders.
  private var small = [Int64](repeating: 0, count: 160)
  private var others: [Facet: Int64] = [:]

  init() {}

  init(_ entries: ArraySlice<OrdinalIndex.Entry>) { add(entries) }

  mutating func add(_ entries: ArraySlice<OrdinalIndex.Entry>) {
    for entry in entries { add(sender: entry.sender, kind: entry.kind, features: entry.features) }
  }

  mutating func add(sender: Int64?, kind: Int64, features: Int64) {
    Facet.each(sender: sender, kind: kind, features: features) { facet in
      if facet.rawValue >= 0, facet.rawValue < small.count {
        small[Int(facet.rawValue)] += 1
      } else {
        others[facet, default: 0] += 1
      }
    }
  }

  func each(_ body: (Facet, Int64) throws -> Void) rethrows {
    let far = others.sorted { $0.key < $1.key }
    for (facet, count) in far.prefix(while: { $0.key.rawValue < 0 }) { try body(facet, count) }
    for number in small.indices where small[number] > 0 {
      try body(Facet(rawValue: Int64(number)), small[number])
    }
    for (facet, count) in far.drop(while: { $0.key.rawValue < 0 }) { try body(facet, count) }
  }
}
