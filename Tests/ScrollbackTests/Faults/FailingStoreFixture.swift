import Foundation
import GRDB
import MessageModel
import MessageStorage
import TestSupport

/// A folder of its own, and what stops a program at one of its steps there.
final class FailingStoreFixture {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "scrollback-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs a piece of work up to a step; returns `SIGKILL` if it was ended there, else less than 1.
  func stopping(at step: Int, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "store-worker"))
    process.arguments = ["stop-at", "\(step)"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? process.terminationStatus : -process.terminationStatus
  }

  /// Bytes of no known type that a seed tells.
  static func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ Int(seed)) }
  }

  /// Makes a store with a message whose contents lie within the store's file.
  static func makeStore(at path: String, holding contents: [[UInt8]]) throws -> Message.ID {
    let options = StoreOptions(inlineByteCount: StoreOptions.maxInlineByteCount)
    let store = try SynchronousMessageStore(path: path, options: options)
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let files = contents.enumerated().map { NewAttachment($1, name: "\($0)") }
    return try store.append([NewMessage("x", files: files)], to: room)[0]
  }

  /// Makes a file of another program, with contents in the rows of a table `card`.
  static func makeTable(at path: String, holding contents: [[UInt8]]) throws -> DatabaseQueue {
    let file = try DatabaseQueue(path: path)
    try file.write { db in
      try db.execute(sql: "CREATE TABLE card(id INTEGER PRIMARY KEY, picture BLOB NOT NULL)")
      for content in contents {
        try db.execute(sql: "INSERT INTO card(picture) VALUES (?)", arguments: [Data(content)])
      }
    }
    return file
  }

  /// The files below the folder of contents of the store `s.db`.
  func files() -> [String] {
    let all = FileManager.default.enumerator(atPath: path("s.db.attachments"))?.allObjects as? [String] ?? []
    return all.filter { !$0.hasPrefix("incoming-") && $0.contains("/") }.sorted()
  }
}
