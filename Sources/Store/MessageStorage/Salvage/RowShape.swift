/// The columns of a table's rows or an index's keys, by which pages are recognised.
struct RowShape: Sendable {
  enum Column: Sendable {
    /// The row id's own column, stored as NULL.
    case rowID
    case integer, optionalInteger
    case text, optionalText
    case blob, optionalBlob
    case any, optionalAny
  }

  let name: String
  let isOfIndex: Bool
  let names: [String]
  let columns: [Column]
  /// The fewest columns a row may have: earlier versions of the format had fewer.
  let leastCount: Int
  let insertion: String

  init(_ name: String, _ columns: [(name: String, column: Column)], isOfIndex: Bool, leastCount: Int? = nil) {
    self.name = name
    names = columns.map(\.name)
    self.columns = columns.map(\.column)
    self.isOfIndex = isOfIndex
    self.leastCount = leastCount ?? columns.count
    insertion = Self.insertion(of: names, into: name)
  }

  static func insertion(of names: [String], into table: String) -> String {
    // The new store already has a hash key; the old store's key replaces it.
    let verb = table == "meta" ? "REPLACE" : "IGNORE"
    let values = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT OR \(verb) INTO \(table)(\(names.joined(separator: ", "))) VALUES (\(values))"
  }

  func fits(_ record: TreeRecord) -> Bool {
    guard (leastCount...columns.count).contains(record.values.count), (record.rowID == nil) == isOfIndex
    else {
      return false
    }
    return zip(record.values, columns).allSatisfy { Self.fits($0, $1) }
  }

  private static func fits(_ value: TreeRecord.Value, _ column: Column) -> Bool {
    switch (column, value) {
    case (.any, .integer), (.any, .text), (.any, .blob), (.optionalAny, _), (.rowID, .null): true
    case (.integer, .integer), (.optionalInteger, .integer), (.optionalInteger, .null): true
    case (.text, .text), (.optionalText, .text), (.optionalText, .null): true
    case (.blob, .blob), (.optionalBlob, .blob), (.optionalBlob, .null): true
    case (.any, _), (.rowID, _), (.integer, _), (.optionalInteger, _), (.text, _), (.optionalText, _),
      (.blob, _), (.optionalBlob, _):
      false
    }
  }
}

extension RowShape {
  /// The table of tables, which begins on the first page.
  static let schema = RowShape(
    "sqlite_schema",
    [
      ("type", .text), ("name", .text), ("tbl_name", .text), ("rootpage", .integer), ("sql", .optionalText),
    ],
    isOfIndex: false)

  /// Whether a record on an unreferenced page is of this table rather than of one with the same columns: ids
  /// of messages are large numbers, all other ids small.
  func isLikely(_ record: TreeRecord) -> Bool {
    guard fits(record) else { return false }
    switch name {
    case "sender", "conversation", "batch", "content", "filter", "source_form":
      return record.rowID.map { (1...Self.maxSmallID).contains($0) } ?? false
    // Rows of search index segments begin at 2³⁷ (fts5_index.c).
    case "content_data":
      return record.rowID.map { (1...(1 << 36)).contains($0) } ?? false
    case "source", "body", "payload":
      return record.rowID.map { !(0...Self.maxSmallID).contains($0) } ?? false
    case "mark":
      return record.integer(1).map { (1...Self.maxSmallID).contains($0) } ?? false
    default: return true
    }
  }

  /// More than a store can have senders, less than the id of any message since 1970-01-04.
  private static let maxSmallID: Int64 = 1 << 40
}
