package import Foundation
internal import GRDB
internal import TestSupport

/// A folder with a store and a state of its own, and commands at work in it.
package final class ShellFixture {
  package let folder: URL
  package let environment: [String: String]

  /// The output of a command, its errors, and its exit code.
  package typealias Answer = (output: String, errors: String, status: Int32)

  /// A history could not be imported.
  package struct Failure: Error {
    var answer: Answer
  }

  /// Makes a store whose conversation `general` holds `count` messages of alice and bob, a minute apart from
  /// 2024-05-01 00:00 UTC, their texts their numbers, and then `texts`.
  ///
  /// - Throws: ``Failure`` if the history cannot be imported.
  package init(count: Int = 200, texts: [String] = [], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.environment = [
      "HOME": folder.path, "SCROLLBACK_STORE": folder.appendingPathComponent("store.db").path, "TZ": "UTC",
      "USER": "carol", "INPUTRC": "/dev/null", "PAGER": "cat",
    ].merging(environment) { $1 }
    let history = try write(Self.lines(count, texts), to: "history.jsonl")
    if environment["SCROLLBACK_STORE"] == nil {
      let isEmpty = count == 0 && texts.isEmpty
      try StoreTemplate.copy("history of \(count) and \(texts)", to: store, hasOwnIdentity: isEmpty) { path in
        try load(history, "--store", path)
      }
    } else {
      try load(history)
    }
    // Not the first run: no greeting.
    let state = folder.appendingPathComponent(".local/state/scrollback")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try Data().write(to: state.appendingPathComponent("history"))
  }

  /// Makes one whose store holds a history in JSON lines.
  package convenience init(holding lines: String) throws {
    try self.init(count: 0)
    try add(lines)
  }

  /// Makes one whose store is as `prepare` has left that of the first of this name, which held `count` messages before.
  package convenience init(named name: String, count: Int = 0, prepare: (ShellFixture) throws -> Void) throws
  {
    try self.init(count: count)
    try FileManager.default.removeItem(atPath: store)
    try StoreTemplate.copy(name, to: store) { path in
      let first = try ShellFixture(count: count)
      try prepare(first)
      try FileManager.default.moveItem(atPath: first.store, toPath: path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Has the history that the store was made with be one that was written here: nobody is asked before they write into it.
  package func forgetImport() throws {
    guard FileManager.default.isWritableFile(atPath: store) else { return }
    let queue = try DatabaseQueue(path: store)
    try queue.write { db in
      guard try db.tableExists("batch") else { return }
      try db.execute(
        sql: """
          DELETE FROM batch WHERE id = 1;
          INSERT OR IGNORE INTO meta VALUES ('last undone import', 1)
          """)
    }
    try queue.close()
  }

  private static func lines(_ count: Int, _ texts: [String]) throws -> String {
    let start = Date(timeIntervalSince1970: 1_714_521_600)
    let format = ISO8601DateFormatter()
    let all = (0..<count).map { "message \($0 + 1)" } + texts
    let lines = try all.enumerated().map { index, text in
      let object = [
        "conversation": "general", "sender": index.isMultiple(of: 2) ? "alice" : "bob", "text": text,
        "time": format.string(from: start.addingTimeInterval(Double(index) * 60)),
      ]
      return String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The path of the store.
  package var store: String { folder.appendingPathComponent("store.db").path }

  /// Imports a history in JSON lines.
  package func add(_ lines: String) throws { try load(write(lines, to: "\(UUID().uuidString).jsonl")) }

  /// Writes a history into a file, and returns its path.
  private func write(_ lines: String, to name: String) throws -> String {
    let history = folder.appendingPathComponent(name)
    // An empty file is no history; a table without rows is one.
    let text = lines.isEmpty ? "time,sender,text\n" : lines
    try text.write(to: history, atomically: true, encoding: .utf8)
    return history.path
  }

  private func load(_ history: String, _ options: String...) throws {
    let answer = try run(["import", "--quiet", history] + options)
    if answer.status != 0 { throw Failure(answer: answer) }
  }
}
