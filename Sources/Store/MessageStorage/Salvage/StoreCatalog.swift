struct StoreCatalog {
  private(set) var roots: [String: Int] = [:]
  private(set) var isOfStore = false

  /// Reads the table of tables, and where it is damaged any page with a part of it.
  init(_ source: PageSource) throws {
    var walk = TreeWalk(source, .schema)
    try walk.run(from: 1) { take($0) }
    guard !walk.isWhole || roots[RowShape.message.name] == nil else { return }
    try PageSweep(source: source, shapes: [.schema]).run { _, record in take(record) }
  }

  private mutating func take(_ record: TreeRecord) {
    guard let type = record.text(0), let name = record.text(1), let root = record.integer(3),
      let page = Int(exactly: root), page > 0
    else { return }
    let word = String(decoding: type, as: UTF8.self)
    guard word == "table" || word == "index" else { return }
    let label = String(decoding: name, as: UTF8.self)
    if roots[label] == nil { roots[label] = page }
    if label == RowShape.message.name, let sql = record.text(4) {
      isOfStore =
        isOfStore || String(decoding: sql, as: UTF8.self).contains("precision INTEGER NOT NULL DEFAULT 0")
    }
  }
}
