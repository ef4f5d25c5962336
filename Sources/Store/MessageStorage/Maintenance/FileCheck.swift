internal import GRDB

/// SQLite's check of a file. It must not run in a writing transaction: SQLite does not commit after it met a
/// damaged page.
struct FileCheck {
  let db: Database

  struct Damage {
    var complaints: [String]
    var derivedTables: [String]
    /// Whether a repair may write to the file: contradictory pages or damaged original data would get worse.
    var isRepairable: Bool

    static let nothing = Damage(complaints: [], derivedTables: [], isRepairable: true)
  }

  /// Unused pages are not reported, since they are harmless.
  func complaints() throws -> [String] {
    try complaints(of: "1000").filter { !$0.hasSuffix("is never used") }
  }

  func damage() throws -> Damage {
    let complaints = try complaints()
    guard !complaints.allSatisfy({ $0.contains("index") }) else {
      return Damage(complaints: complaints, derivedTables: [], isRepairable: true)
    }
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    let damaged = Set(try (tables + ["sqlite_schema"]).filter { try !isSound($0) })
    let derived = DerivedTables.all.filter(damaged.contains)
    let isContradiction = complaints.contains { $0.contains("reference") || $0.contains("reelist") }
    return Damage(
      complaints: complaints, derivedTables: derived,
      isRepairable: !isContradiction && !derived.isEmpty && derived.count == damaged.count)
  }

  private func isSound(_ table: String) throws -> Bool {
    try complaints(of: "'\(table)'").allSatisfy { $0.contains("index") }
  }

  private func complaints(of part: String) throws -> [String] {
    var lines: [String] = []
    do {
      let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(\(part))")
      while let row = try rows.next() { lines += row.split(separator: "\n").map(String.init) }
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CORRUPT {
      lines.append(error.message ?? "damaged")
    }
    return lines.filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
  }
}
