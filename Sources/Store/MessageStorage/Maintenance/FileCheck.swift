internal import GRDB

/// A check of a file by SQLite. Not within a transaction that writes: SQLite does not commit one in which it has
/// met a damaged page.
struct FileCheck {
  let db: Database

  /// The damage of a file.
  struct Damage {
    var complaints: [String]
    /// The tables that can be given up.
    var derivedTables: [String]
    /// Whether a repair may write into the file. Where its pages contradict each other, or what is not derived is
    /// damaged, that would make it worse.
    var isRepairable: Bool

    /// That of a file that has none.
    static let nothing = Damage(complaints: [], derivedTables: [], isRepairable: true)
  }

  /// Returns what SQLite says of the file; pages that nobody uses harm nobody.
  func complaints() throws -> [String] {
    try complaints(of: "1000").filter { !$0.hasSuffix("is never used") }
  }

  /// Tells what is damaged.
  ///
  /// - Complexity: One look at each page, two if any is damaged.
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
