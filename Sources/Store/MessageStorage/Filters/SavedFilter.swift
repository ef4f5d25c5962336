internal import GRDB
public import MessageModel

/// A filter that a user saved by name, with a total that is updated as messages come and go.
public struct SavedFilter: Identifiable, Hashable, Sendable {
  /// Its number in the store.
  public var id: Int64
  /// Its name, which is unique.
  public var name: String
  /// Its typed words.
  public var words: String
  /// The condition on messages. The counts of the filter answer requests with this predicate, alone or within
  /// a range of ids.
  public var predicate: MessagePredicate
  /// The number of matching messages in the whole store.
  public var total: Int
  /// Whether the total is exact. It is an estimate until all earlier messages have been examined.
  public var isExact: Bool
  /// The part of the earlier messages that has been examined, 0 to 1.
  package var countedPart: Double
}

extension StoreReading {
  /// Returns all saved filters by name, with their totals.
  ///
  /// - Complexity: O(filters × √*n*) small steps for *n* messages.
  public func savedFilters() throws(StoreError) -> [SavedFilter] {
    try savedFilters(after: nil, limit: .max)
  }

  /// Returns the first saved filters by name after `name`, which need not exist; at most `limit`.
  package func savedFilters(after name: String?, limit: Int) throws(StoreError) -> [SavedFilter] {
    try store.reading(
      "cannot list the filters of '\(store.path)'",
      archived: { try $0.savedFilters(after: name, limit: limit) }
    ) { db in
      let rows = try FilterRow.all(in: db).drop { row in
        name.map { !$0.utf8.lexicographicallyPrecedes(row.name.utf8) } ?? false
      }
      return try rows.prefix(limit).map { try store.summary(of: $0, in: db) }
    }
  }

  /// Returns the filter with a name, or `nil` if there is none.
  public func savedFilter(named name: String) throws(StoreError) -> SavedFilter? {
    try store.reading(
      "cannot look up the filter '\(name)'",
      archived: { archive in try archive.savedFilters().first { $0.name == name } }
    ) { db in
      try FilterRow.all(in: db).first { $0.name == name }.map { try store.summary(of: $0, in: db) }
    }
  }
}

extension StoreWriting {
  /// Saves a filter by a name. It replaces a filter of the same name, unless that has the same predicate.
  ///
  /// From now on its ordinals and totals are updated with each message. Earlier messages are counted by
  /// ``MessageStore/countMessages(ofFilter:progress:)``, or in the background when one of its pages is read while a
  /// listener for changes exists; until then totals are estimates.
  ///
  /// - Parameters:
  ///   - name: The name, which must not be empty.
  ///   - words: Its typed words, for lists.
  ///   - predicate: The condition on messages.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an empty name, a thread beside words or as an
  ///   alternative, or a wrong expression.
  public func saveFilter(
    named name: String, words: String, predicate: MessagePredicate
  ) throws(StoreError) {
    let doing = "cannot save the filter '\(name)'"
    guard !name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot save a filter", cause: "its name is empty")
    }
    guard predicate.thread.map({ !$0.rest.contains(where: \.namesThread) }) ?? !predicate.namesThread else {
      throw StoreError(
        .invalidRequest, doing,
        cause:
          "a saved filter with thread: may have other terms, but no words, no OR and no hyphen before it",
        remedy: "thread:ID alone, or with terms such as from: and since:")
    }
    _ = try PredicateSQL(predicate)
    let text = PredicateText.text(of: predicate)
    try store.writing(doing) { db in
      if let old = try FilterRow.all(in: db).first(where: { $0.name == name }) {
        if old.predicate == predicate { return }
        try RawStatement.run(db, "UPDATE filter SET name = NULL WHERE id = ?", old.id)
      }
      // Evaluating words may create a table, which invalidates earlier statements.
      let manner = SynchronousMessageStore.countingMode(of: predicate, in: db)
      try RawStatement.run(
        db,
        """
        INSERT INTO filter(name, words, predicate, manner, senders)
          VALUES (?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM sender))
        """, name, words, text, manner.rawValue)
    }
    try store.clearFormerFilters(doing)
  }

  /// Deletes a saved filter, but no message.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no filter of this name.
  /// - Complexity: O(its messages), in pieces; if it is interrupted, the filter is gone, and the rest is
  ///   cleared when the next one is saved or deleted.
  public func deleteFilter(named name: String) throws(StoreError) {
    let doing = "cannot delete the filter '\(name)'"
    try store.writing(doing) { db in
      guard let row = try FilterRow.all(in: db).first(where: { $0.name == name }) else {
        throw SynchronousMessageStore.noFilter(name, "cannot delete")
      }
      try RawStatement.run(db, "UPDATE filter SET name = NULL WHERE id = ?", row.id)
    }
    try store.clearFormerFilters(doing)
  }
}

extension SynchronousMessageStore {
  fileprivate func summary(of row: FilterRow, in db: Database) throws -> SavedFilter {
    let page = try Fetch(
      MessageModel.PageRequest(Selection(.all, where: row.predicate), fetchLimit: 0), in: db,
      names: senderNames
    ).page()
    let count = try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = 0") ?? 0
    let seen = try Ordinals(db: db, scope: 0, filter: FacetFilter()).ordinal(of: row.countedUpTo)
    return SavedFilter(
      id: row.id, name: row.name, words: row.words, predicate: row.predicate, total: page.counts?.total ?? 0,
      isExact: page.counts?.isExact ?? false,
      countedPart: row.isComplete || count == 0 ? 1 : Double(seen) / Double(count))
  }

  /// Returns the cheapest way to count a filter: by its matches or by the others, whichever are fewer.
  fileprivate static func countingMode(of predicate: MessagePredicate, in db: Database)
    -> FilterRow.CountingMode
  {
    // The members of a thread are found each time: no trigger notices a message that joins one.
    if predicate.thread != nil { return .byFacets }
    let asked = Selection(.all, where: predicate)
    let selection = (try? asked.placed(in: db)) ?? asked
    if selection.isCounted { return .byFacets }
    let ratio = try? Counter.sampledRatio(selection, in: db, WordBeginnings())
    return ratio ?? 0 > 0.5 ? .byOthers : .byMembers
  }

  /// See ``MessageStore/countMessages(ofFilter:progress:)``.
  @discardableResult
  package func countMessages(
    ofFilter name: String, progress: (_ seen: Int, _ all: Int) -> Bool = { _, _ in true }
  ) throws(StoreError) -> SavedFilter {
    while let step = try countPiece(of: name) {
      guard progress(step.seen, step.all) else {
        throw StoreError(
          .cancelled, "did not count the filter '\(name)' to its end",
          cause: "stopped after \(step.seen) messages",
          remedy: "save it run it again to continue")
      }
    }
    guard let filter = try savedFilter(named: name) else { throw Self.noFilter(name, "cannot count") }
    return filter
  }

  private func countPiece(of name: String) throws(StoreError) -> (seen: Int, all: Int)? {
    try writingPiece("cannot count the filter '\(name)'") { db in
      guard let row = try FilterRow.all(in: db).first(where: { $0.name == name }) else {
        throw Self.noFilter(name, "cannot count")
      }
      if row.isComplete {
        // Other programs may have left more waiting messages than one transaction examines.
        let waits = try RawStatement.number(db, "SELECT 1 FROM filter_waiting LIMIT 1") != nil
        guard waits else { return nil }
      } else {
        _ = try FilterCount(db: db, filter: row).advance()
      }
      let store = Ordinals(db: db, scope: 0, filter: FacetFilter())
      let row2 = try FilterRow.all(in: db).first { $0.name == name } ?? row
      return (try store.ordinal(of: row2.countedUpTo), try store.total())
    }
  }

  func uncountedFilter(of selection: Selection) throws(StoreError) -> String? {
    guard options.access != .readOnly else { return nil }
    return try reading("cannot look up a filter") { db in
      try FilterInUse(selection, in: db).flatMap { $0.isExact ? nil : $0.row.name }
    }
  }

  fileprivate func clearFormerFilters(_ doing: String) throws(StoreError) {
    if let draft = openWrite?.draft {
      draft.afterCommit.append { try? self.clearFormerFilters(doing) }
      return
    }
    while try writing(
      doing, { [options] db in try Self.clearPieceOfFormerFilter(limit: options.pieceCount, in: db) })
    {}
  }

  private static func clearPieceOfFormerFilter(limit: Int, in db: Database) throws -> Bool {
    guard let id = try RawStatement.number(db, "SELECT id FROM filter WHERE name IS NULL LIMIT 1") else {
      return false
    }
    try RawStatement.run(
      db,
      """
      DELETE FROM filter_member WHERE filter = ?1 AND (scope, id) IN (
        SELECT scope, id FROM filter_member WHERE filter = ?1 LIMIT ?2)
      """, id, Int64(min(limit, 8_192)))
    guard db.changesCount == 0 else { return true }
    for table in ["part", "superpart"] {
      try RawStatement.run(
        db,
        "DELETE FROM \(table) WHERE facet = ?1 AND scope IN (SELECT 0 UNION ALL SELECT id FROM conversation)",
        Facet.saved(id).rawValue)
    }
    try RawStatement.run(db, "DELETE FROM filter WHERE id = ?", id)
    try RawStatement.run(db, "DELETE FROM filter_waiting WHERE NOT EXISTS (SELECT 1 FROM filter)")
    return true
  }

  static func noFilter(_ name: String, _ doing: String) -> StoreError {
    StoreError(
      .notFound, "\(doing) the filter '\(name)'", cause: "there is no filter with this name",
      remedy: .listFilters)
  }
}

extension MessagePredicate {
  fileprivate var namesThread: Bool {
    switch self {
    case .thread: true
    case .not(let inner): inner.namesThread
    case .and(let parts), .or(let parts): parts.contains(where: \.namesThread)
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .matching,
      .regex:
      false
    }
  }
}
