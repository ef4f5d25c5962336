import Foundation
import GRDB

extension Arena {
  /// Changes the store by SQL, past the program.
  ///
  /// - Parameter hasTriggers: Whether the store's triggers see it.
  func change(_ sql: String, hasTriggers: Bool = false) throws {
    let queue = try DatabaseQueue(path: store)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      if !hasTriggers { try db.execute(sql: "PRAGMA recursive_triggers = OFF") }
      try db.execute(sql: sql)
    }
  }
}

extension Arena {
  /// Returns the names of the conversations in which texts stand.
  func conversationsOfTexts() throws -> [String: [String]] {
    let queue = try DatabaseQueue(path: store)
    defer { try? queue.close() }
    let rows = try queue.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT text, name FROM message JOIN conversation ON conversation.id = message.conversation")
    }
    return rows.reduce(into: [:]) { $0[$1[0], default: []].append($1[1]) }
  }
}

extension Arena {
  /// Makes a file that looks like one that a living process is at work on.
  func plantLeftover() {
    _ = FileManager.default.createFile(atPath: "\(store).part-1", contents: nil)
  }
}
