import Foundation
import GRDB

/// Other versions of the same file.
extension AssistantSample {
  /// A value of a version to come.
  static let later = "of-a-version-to-come"

  /// The keys under which programs say what sort of thing a value is.
  private static let sorts = ["type", "kind", "role", "say", "ask", "content_type"]

  /// Rewrites the file as its program might: with other spaces and its keys in another order.
  func rewrite(_ path: String) throws {
    let url = URL(filePath: path)
    switch nature {
    case .database: try Self.open(path).vacuum()
    case .text: try Data(bytes()).write(to: url)
    case .document:
      let value = try JSONSerialization.jsonObject(with: Data(bytes()))
      try Data(Self.reversed(value).utf8).write(to: url)
    case .rows:
      var lines = Data()
      for line in try bytes().split(separator: 0x0A) {
        guard let value = try? JSONSerialization.jsonObject(with: Data(line)) else { continue }
        lines += try Self.json(value, [.sortedKeys]) + [0x0A]
      }
      try lines.write(to: url)
    }
  }

  /// Returns a value as JSON with all keys in the reversed order of the alphabet, and spaces between.
  private static func reversed(_ value: Any) throws -> String {
    if let list = value as? [Any] { return "[ \(try list.map(reversed).joined(separator: " ,\n")) ]" }
    guard let object = value as? [String: Any] else {
      return String(decoding: try json(value, .fragmentsAllowed), as: UTF8.self)
    }
    let fields = try object.sorted { $0.key > $1.key }.map { "\"\($0.key)\" : \(try reversed($0.value))" }
    return "{\n\(fields.joined(separator: ",\n "))\n}"
  }

  private static func json(_ value: Any, _ options: JSONSerialization.WritingOptions = []) throws -> Data {
    try JSONSerialization.data(withJSONObject: value, options: options.union([.withoutEscapingSlashes]))
  }

  // MARK: An earlier version

  /// Makes the file what it may have been before its last message was written, and says how to write that.
  ///
  /// - Returns: What adds the message; `nil` if the file has no earlier version with messages.
  func shorten(_ path: String) throws -> (() throws -> Void)? {
    let whole = try ReadHistory(fixture, format: format).ids
    let url = URL(filePath: path)
    func isEarlier() throws -> Bool {
      let ids = try ReadHistory(path, format: format).ids
      return !ids.isEmpty && ids.isStrictSubset(of: whole)
    }
    if nature == .database { return try shortenTable(path, isEarlier) }
    let bytes = try bytes()
    for earlier in try earlierVersions(bytes) {
      try earlier.write(to: url)
      if try isEarlier() { return { try Data(bytes).write(to: url) } }
    }
    return nil
  }

  private func earlierVersions(_ bytes: [UInt8]) throws -> [Data] {
    guard nature == .document else {
      let ends = bytes.indices.filter { bytes[$0] == 0x0A }
      return ends.reversed().map { Data(bytes[...$0]) }
    }
    let value = try JSONSerialization.jsonObject(with: Data(bytes))
    return try Self.withoutLast(value).map { try Self.json($0) }
  }

  /// Returns what a value is without the last element of one of its lists.
  private static func withoutLast(_ value: Any) -> [Any] {
    var versions: [Any] = []
    if let list = value as? [Any] {
      if list.count > 1 { versions.append(Array(list.dropLast())) }
      for (place, element) in list.enumerated().reversed() {
        for version in withoutLast(element) {
          var changed = list
          changed[place] = version
          versions.append(changed)
        }
      }
    } else if let object = value as? [String: Any] {
      for (key, element) in object {
        for version in withoutLast(element) { versions.append(object.merging([key: version]) { $1 }) }
      }
    }
    return versions
  }

  private func shortenTable(_ path: String, _ isEarlier: () throws -> Bool) throws -> (() throws -> Void)? {
    let database = try Self.open(path)
    let tables = try database.read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    }
    for table in tables where !table.hasPrefix("sqlite_") {
      let last = "SELECT max(rowid) FROM main.\"\(table)\""
      guard let row = try? database.read({ try Int64.fetchOne($0, sql: last) }) else { continue }
      for row in stride(from: row, to: max(row - 8, 0), by: -1) {
        try database.writeWithoutTransaction {
          try $0.execute(sql: "DELETE FROM \"\(table)\" WHERE rowid = \(row)")
        }
        let fixture = fixture
        let add = {
          try database.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH '\(fixture)' AS whole")
            try database.execute(
              sql: "INSERT INTO main.\"\(table)\" SELECT * FROM whole.\"\(table)\" WHERE rowid = \(row)")
          }
        }
        if try isEarlier() { return add }
        try add()
        try database.writeWithoutTransaction { try $0.execute(sql: "DETACH whole") }
      }
    }
    return nil
  }

  // MARK: A later version

  /// Returns what the bytes are in which one value that says what sort of thing something is says something unknown: for each such
  /// value.
  static func laterVersions(of bytes: [UInt8]) -> [(bytes: [UInt8], change: String)] {
    let text = String(decoding: bytes, as: UTF8.self)
    let pattern = #""(\#(sorts.joined(separator: "|")))"\s*:\s*"([A-Za-z_./$-]+)""#
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { match in
      guard let range = Range(match.range(at: 2), in: text) else { return nil }
      let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
      return (
        Array(text.replacingCharacters(in: range, with: later).utf8), String(text[start..<range.upperBound])
      )
    }
  }

  /// Calls `body` after each change of the file that makes it one of a version to come, at most so many times.
  func forEachLaterVersion(at path: String, atMost limit: Int, _ body: (String) throws -> Void) throws {
    guard nature == .database else {
      for version in Self.laterVersions(of: try bytes()).spread(limit) {
        try Data(version.bytes).write(to: URL(filePath: path))
        try body(version.change)
      }
      return
    }
    let database = try Self.open(path)
    for (table, column, row, value) in try Self.values(in: database).spread(limit) {
      func set(_ bytes: [UInt8]) throws {
        let sql = "UPDATE \"\(table)\" SET \"\(column)\" = CAST(? AS TEXT) WHERE rowid = ?"
        try database.writeWithoutTransaction { try $0.execute(sql: sql, arguments: [Data(bytes), row]) }
      }
      for version in Self.laterVersions(of: value).spread(2) {
        try set(version.bytes)
        try body(version.change)
      }
      try set(value)
    }
  }

  /// The texts in a database that say what sort of thing something is.
  private static func values(in database: DatabaseQueue) throws -> [(String, String, Int64, [UInt8])] {
    try database.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      return try tables.flatMap { table in
        try database.columns(in: table).map(\.name).flatMap { column in
          let sql =
            "SELECT rowid, CAST(\"\(column)\" AS BLOB) FROM \"\(table)\" WHERE \"\(column)\" LIKE '%\"type\"%'"
          return try Row.fetchAll(database, sql: sql).map { row in
            (table, column, row[0] as Int64, Array(row[1] as Data))
          }
        }
      }
    }
  }
}

extension Array {
  /// Some of the elements, from the first to the last.
  fileprivate func spread(_ count: Int) -> [Element] {
    self.count <= count ? self : (0..<count).map { self[$0 * self.count / count] }
  }
}
