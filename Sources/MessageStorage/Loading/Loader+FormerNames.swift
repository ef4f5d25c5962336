internal import GRDB
internal import MessageModel

/// Messages that an earlier version wrote under a name with marks of direction in it, which readers now take off.
extension Loader {
  /// Looks for entries that were not found under the name that they have now; returns whether one was found.
  ///
  /// - Complexity: O(1) where no sender of the store has such a name, which is looked for once in a load; else a look for each
  ///   entry whose sender had one.
  mutating func recogniseFormerNames(
    _ known: inout [Message.ID?], in group: EntryGroup, _ interval: inout LoadState.IntervalState,
    _ key: LoadState.IntervalKey
  ) throws -> Bool {
    let former = try state.formerNames ?? formerNames()
    state.formerNames = former
    guard !former.isEmpty else { return false }
    var isFound = false
    for offset in known.indices where known[offset] == nil {
      let index = group.range.lowerBound + offset
      let entry = group.batch.entries[index]
      guard !entry.sender.isNone, group.batch.details[index]?.source?.id == nil,
        let names = former[Array(group.bytes.slice(of: entry.sender))]
      else { continue }
      for name in names where known[offset] == nil {
        let base = name.withUnsafeBytes {
          DuplicateKeys.hash(
            key: state.hashKey, sender: $0, kind: entry.kind.rawValue, text: group.bytes.slice(of: entry.text)
          )
        }
        known[offset] = try keys.message(with: DuplicateKeys.key(base, interval.count(base.finish())), key)
        isFound = isFound || known[offset] != nil
      }
    }
    return isFound
  }

  /// The names in the store that have marks of direction, by what they are without.
  private func formerNames() throws -> [[UInt8]: [[UInt8]]] {
    let marked = try RawStatement(
      db, "SELECT name FROM sender WHERE name GLOB ?", "*[\(DirectionMarks.all)]*")
    var names: [[UInt8]: [[UInt8]]] = [:]
    try marked.each { row in
      row.withBytes(0) { name in
        if let plain = DirectionMarks.removed(from: name) { names[plain, default: []].append(Array(name)) }
      }
    }
    return names
  }
}
