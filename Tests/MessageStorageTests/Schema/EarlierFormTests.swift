import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// Stores of forms before the first that this program reads, which came out with no release.
@Suite struct EarlierFormTests {
  /// A store that says it has an earlier form.
  private let temporary: TemporaryStore
  private var path: String { temporary.store.path }

  init() throws {
    temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("hello", from: "ann")], to: room)
    temporary.store.close()
  }

  private func give(form: Int32) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(form); PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }

  /// The bytes of all files in the folder, and when they were changed, by their names.
  private func files() throws -> [String: String] {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let file = folder.appending(path: name)
        var facts = stat()
        try #require(lstat(file.path, &facts) == 0)
        let bytes = try Data(contentsOf: file).base64EncodedString()
        return (name, "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec) \(bytes)")
      })
  }

  private func expectRefusal(form: Int32, _ body: () throws -> Void) throws {
    let before = try files()
    let error = try #require(throws: StoreError.self) { try body() }
    #expect(error.kind == .notAStore)
    #expect(
      error.cause == "it has form \(form), and this program reads forms from \(Schema.firstVersion) on")
    #expect(
      error.remedy.map { "\($0)" }
        == "export it as JSON Lines with the program that wrote it, and import that with this one")
    #expect(try files() == before)
  }

  @Test(arguments: Int32(1)..<Schema.firstVersion)
  func `a store of an earlier form is refused and left as it is, and a sentence says how to come over`(
    form: Int32
  ) throws {
    try give(form: form)
    for access in [StoreOptions.Access.readOnly, .readWrite, .create] {
      try expectRefusal(form: form) {
        _ = try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
      }
    }
  }

  @Test func `it is not salvaged, mended or put in the place of another`() throws {
    try give(form: 5)
    let other = try TemporaryStore()
    try expectRefusal(form: 5) {
      _ = try SynchronousMessageStore.salvage(path, to: path + ".new")
    }
    try expectRefusal(form: 5) { _ = try SynchronousMessageStore.restore(path, to: other.store.path) }
    #expect(try SynchronousMessageStore.mendForm(of: path) == 0)
  }

  @Test func `one whose form stands in its log alone is refused, too`() throws {
    let queue = try DatabasePool(path: path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 4") }
    for access in [StoreOptions.Access.readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) {
        try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
      }
      #expect(error?.cause?.hasPrefix("it has form 4,") == true)
    }
  }
}
