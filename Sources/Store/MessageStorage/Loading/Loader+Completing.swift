internal import GRDB
internal import HistoryModel
internal import MessageModel

/// Messages without a platform's id that one export has only as a bracketed name, another with their text.
extension Loader {
  /// What both readings of a message have in common, besides their time.
  private struct Line: Hashable {
    let sender: String?
    let kind: Int
  }

  private struct Stored {
    let id: Message.ID
    /// Its text, if that is empty or only a bracketed name.
    let name: String?
  }

  /// Pairs entries that are not recognised with stored messages of their millisecond, sender and kind that no
  /// other entry is, in order, if there are as many of both and one of each pair is only a name. Returns the
  /// places of those entries in `known` whose text is to replace a name; by that, too, their message is
  /// recognised from now on.
  ///
  /// A coarser time proves nothing: of one minute, a part of a log may have `[ok]` and another the next line.
  /// For the same reason the messages of this import are not paired.
  ///
  /// - Complexity: O(entries + messages of the interval), the latter only if some may be paired.
  mutating func complete(
    _ known: inout [Message.ID?], _ hashes: [UInt64], in group: EntryGroup, _ key: LoadState.IntervalKey
  ) throws -> Set<Int> {
    guard key.precision == .millisecond, try mayComplete(known, in: group, key) else { return [] }
    let rows = try messages(in: key)
    var completed: Set<Int> = []
    for (line, places) in Dictionary(grouping: known.indices, by: { self.line(of: $0, in: group) }) {
      let pairing = Pairing(rows[line, default: []], places, known, in: group)
      guard
        try pairing.isComplete
          && pairing.pairs.allSatisfy({ place, row in
            try known[place] == row.id || isSame(row, as: place, in: group)
          })
      else {
        try separate(&known, pairing, hashes, key)
        continue
      }
      for (place, row) in pairing.pairs {
        known[place] = row.id
        guard row.name != nil, !BracketedName.isAll(of: group.text(of: place)) else { continue }
        try noteText(hashes[place], of: row.id, key)
        completed.insert(place)
      }
    }
    return completed
  }

  /// The entries of a sender and kind that may be paired, and the messages for them.
  private struct Pairing {
    /// Those that are not recognised, or as a message that may be another entry's.
    let free: [Int]
    /// The messages of the other entries.
    let taken: Set<Message.ID>
    let pairs: [(place: Int, row: Stored)]
    let isComplete: Bool

    init(_ rows: [Stored], _ places: [Int], _ known: [Message.ID?], in group: EntryGroup) {
      let ids = Set(rows.map(\.id))
      let isFree = places.map { place in
        guard !group.hasPlatformID(place) else { return false }
        return known[place].map { ids.contains($0) && BracketedName.isAll(of: group.text(of: place)) } ?? true
      }
      let free = zip(places, isFree).filter(\.1).map(\.0)
      let taken = Set(zip(places, isFree).compactMap { $1 ? nil : known[$0] })
      let matched = Set(free.compactMap { known[$0] })
      // Only an entry that is a name may be a message with a text.
      let hasName = free.contains { known[$0] == nil && group.isNameOnly($0) }
      let left = rows.filter { row in
        !taken.contains(row.id) && (hasName || row.name != nil || matched.contains(row.id))
      }
      (self.free, self.taken) = (free, taken)
      pairs = Array(zip(free, left))
      isComplete = free.count == left.count
    }
  }

  /// Lets entries that are only names lead to no message that another entry of the group has: they may have
  /// been recognised as what it was before it was completed.
  private mutating func separate(
    _ known: inout [Message.ID?], _ pairing: Pairing, _ hashes: [UInt64], _ key: LoadState.IntervalKey
  ) throws {
    var taken = pairing.taken
    for place in pairing.free {
      guard let id = known[place], !taken.insert(id).inserted else { continue }
      let others = try state.known.messages(of: hashes[place], in: key, reader)
      known[place] = others.first { taken.insert($0).inserted }
    }
  }

  /// Whether an entry is not recognised that is only a name or may complete one, or two are recognised as one
  /// message: as what it was, and as what it is.
  private mutating func mayComplete(
    _ known: [Message.ID?], in group: EntryGroup, _ key: LoadState.IntervalKey
  ) throws -> Bool {
    let open = known.indices.filter { known[$0] == nil && !group.hasPlatformID($0) }
    if open.contains(where: group.isNameOnly) { return true }
    if !open.isEmpty, try state.known.hasNames(in: key, reader) { return true }
    guard known.count > 1 else { return false }
    let ids = known.compactMap { $0 }
    return Set(ids).count < ids.count
  }

  /// Returns the messages of an interval that other imports brought, without ids of a platform, and that were
  /// never edited, moved or redacted, oldest first.
  private func messages(in key: LoadState.IntervalKey) throws -> [Line: [Stored]] {
    let ids = key.ids
    let statement = try RawStatement(
      db,
      """
      SELECT id, (SELECT name FROM sender WHERE sender.id = message.sender), kind, batch, bytes, text FROM message
        WHERE conversation = ?1 AND id BETWEEN ?2 AND ?3 AND precision = ?4 AND features & ?5 = 0
          AND batch IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM source WHERE source.message = message.id AND external IS NOT NULL)
        ORDER BY id
      """, key.conversation, ids.lowerBound.rawValue, ids.upperBound.rawValue, key.precision.rawValue,
      MessageRow.Feature.edit | MessageRow.Feature.writtenAt | MessageRow.Feature.deletion)
    var messages: [Line: [Stored]] = [:]
    try statement.each { row in
      let id = Message.ID(rawValue: row.int(0))
      guard !state.origins.includes(row.int(3)) else { return }
      let isName =
        row.isNull(4) && !completing.contains(id) && row.withBytes(5) { BracketedName.isAll(of: $0) }
      messages[Line(sender: row.optionalText(1), kind: Int(row.int(2))), default: []].append(
        Stored(id: id, name: isName ? row.text(5) : nil))
    }
    return messages
  }

  private func line(of place: Int, in group: EntryGroup) -> Line {
    let entry = group.entry(at: place)
    return Line(sender: group.batch.string(entry.sender), kind: entry.kind.rawValue)
  }

  /// Whether an entry may be a message: one of both is only a name, and has no files that the other has not.
  private func isSame(_ row: Stored, as place: Int, in group: EntryGroup) throws -> Bool {
    let (text, isNameOnly) = (group.text(of: place), group.isNameOnly(place))
    if let name = row.name, text.elementsEqual(name.utf8) { return true }
    guard isNameOnly || row.name != nil && !BracketedName.isAll(of: text) else { return false }
    let stored = Set(try MessageRow.attachments(of: row.id, in: db).map(\.name))
    let files = Set(group.details(at: place)?.attachments.map(\.name) ?? [])
    return (row.name == nil || stored.isSubset(of: files)) && (!isNameOnly || files.isSubset(of: stored))
  }

  private mutating func noteText(_ hash: UInt64, of id: Message.ID, _ key: LoadState.IntervalKey) throws {
    try StoredKeys(db: db).remember(id)
    try StoredKeys(db: db).insert(hash, key, id)
    state.known.note(hash, key, id)
    completing.insert(id)
  }
}

extension EntryGroup {
  fileprivate func entry(at place: Int) -> ImportBatch.Entry { batch.entries[range.lowerBound + place] }

  fileprivate func details(at place: Int) -> ImportDetails? { batch.details[range.lowerBound + place] }

  fileprivate func hasPlatformID(_ place: Int) -> Bool { details(at: place)?.source?.id != nil }

  fileprivate func text(of place: Int) -> UnsafeRawBufferPointer { bytes.slice(of: entry(at: place).text) }

  /// Whether nothing but its kind was understood. A text in brackets may be what its sender wrote.
  fileprivate func isNameOnly(_ place: Int) -> Bool {
    entry(at: place).text.isEmpty || entry(at: place).isNamedOnly
  }
}
