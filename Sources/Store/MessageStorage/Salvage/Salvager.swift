internal import GRDB
internal import MessageModel

/// Copies the readable rows of a damaged store into a new one. It follows the trees, then searches all
/// unreferenced pages. A message that matches its checksum is intact, wherever it was found. Messages that no
/// tree vouches for wait for ``SalvageResolution``.
struct Salvager {
  let source: PageSource
  let target: SalvageTarget
  private let shapes: RowShapes
  private let catalog: StoreCatalog
  /// Whether the index of ids was readable to its end, so that ids not in it were deleted.
  private(set) var knowsIDs = false
  private(set) var knowsBlocks = false
  private var hasProof = false
  private var hasHashKey = false

  init(_ source: PageSource, into target: SalvageTarget) throws {
    (self.source, self.target, shapes) = (source, target, target.shapes)
    catalog = try StoreCatalog(source)
  }

  /// - Throws: ``StoreError`` of kind `notAStore` if the file has no part of a store.
  mutating func run() throws {
    try readTables()
    try readMessages()
    try readIDs()
    try readCounts()
    try markOthers()
    try sweep()
    guard isStore else {
      throw StoreError(
        .notAStore, "cannot salvage it", cause: "it contains no part of a Scrollback store")
    }
    try forgetUnusableKeys()
  }

  private var isStore: Bool {
    catalog.isOfStore || hasProof
      || source.pages.page(1).flatMap { DatabaseHeader($0) }?.applicationID == Schema.applicationID
  }

  private mutating func readTables() throws {
    for shape in shapes.recognisable + shapes.others {
      _ = try walk(shape) { salvager, record in try salvager.take(record, of: shape) }
    }
    // The index of names has names whose row is lost.
    for (index, table) in shapes.names {
      _ = try walk(index) { salvager, record in try salvager.takeName(record, of: table) }
    }
  }

  private mutating func readMessages() throws {
    _ = try walk(shapes.message) { salvager, record in try salvager.takeMessage(record, .tree) }
  }

  private mutating func readIDs() throws {
    for shape in shapes.ids {
      let place = shape.names.firstIndex(of: "id") ?? 0
      let isWhole = try walk(shape) { salvager, record in
        guard let id = record.integer(place), let conversation = record.integer(place + 1) else { return }
        try salvager.target.noteKnown(id, conversation)
      }
      if shape.name == "message_id" { knowsIDs = isWhole }
    }
  }

  private mutating func readCounts() throws {
    knowsBlocks = try walk(shapes.block) { salvager, record in
      guard let scope = record.integer(0), let first = record.integer(1), let count = record.integer(2) else {
        return
      }
      try salvager.target.noteBlock(scope, first, count)
    }
    _ = try walk(shapes.tally) { salvager, record in
      guard let scope = record.rowID, let inserted = record.integer(1), let deleted = record.integer(2) else {
        return
      }
      try salvager.target.noteTotal(scope, inserted: inserted, deleted: deleted)
    }
  }

  /// Walks all other trees, so that their pages do not count as unreferenced.
  private mutating func markOthers() throws {
    let shapes = shapes
    let read = Set(shapes.all.map(\.name))
    for (name, root) in catalog.roots.sorted(by: { $0.value < $1.value }) where !read.contains(name) {
      for isOfIndex in [true, false] {
        var walk = TreeWalk(source, isOfIndex: isOfIndex) { record in
          (record.rowID == nil) == isOfIndex && !shapes.areLikely(record)
        }
        try walk.run(from: root) { _ in }
      }
    }
  }

  private mutating func walk(
    _ shape: RowShape, _ body: (inout Salvager, TreeRecord) throws -> Void
  ) throws -> Bool {
    guard let root = catalog.roots[shape.name] else { return false }
    var walk = TreeWalk(source, shape)
    try walk.run(from: root) { try body(&self, $0) }
    return walk.isWhole
  }

  private mutating func sweep() throws {
    let sweep = PageSweep(source: source, shapes: [shapes.message] + shapes.recognisable)
    try sweep.run { shape, record in
      if shape.name == shapes.message.name {
        try takeMessage(record, .sweep)
      } else {
        try take(record, of: shape)
      }
    }
    try sweep.carve(shapes.message) { try takeMessage($0, .carving) }
  }

  private mutating func take(_ record: TreeRecord, of shape: RowShape) throws {
    if shape.name == RowShapes.meta, let key = record.text(0), key.elementsEqual("hash key".utf8) {
      guard case .blob(let range) = record.values[1], range.count == 16 else { return }
      hasHashKey = true
    }
    try target.insert(record, of: shape)
  }

  private mutating func takeName(_ record: TreeRecord, of table: RowShape) throws {
    guard let id = record.integer(record.values.count - 1) else { return }
    try target.insert(record.asNamed(id), of: table)
  }

  private mutating func takeMessage(_ record: TreeRecord, _ origin: SalvagedMessage.Origin) throws {
    guard let message = SalvagedMessage(record) else { return }
    let writtenAt = try target.time(of: message)
    let standing = try target.withRest(of: message) { message.standing($0, writtenAt: writtenAt) }
    if standing == .agrees { hasProof = true }
    switch (origin, standing) {
    case (.tree, .agrees), (.tree, .untold):
      try target.insert(message)
    case (.carving, .differs), (.carving, .untold): break
    case (.tree, .differs), (.sweep, _), (.carving, .agrees): try target.putAside(message, origin)
    }
  }

  /// Keys against duplicates are useless without the key of their hashes.
  private func forgetUnusableKeys() throws {
    if !hasHashKey { try target.db.execute(sql: "DELETE FROM duplicate; DELETE FROM rewritten") }
  }
}

extension TreeRecord {
  /// Returns a row of a table of names from its index; the other columns are unknown.
  fileprivate func asNamed(_ id: Int64) -> TreeRecord {
    TreeRecord(bytes: bytes, values: [.null] + values.dropLast(), rowID: id)
  }
}
