import Foundation
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct RedactTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }
  private let ann = SenderKey(name: "ann", externalID: "U7")

  /// Whether a word is in any file in the folder of the store, in whatever case.
  private func isAnywhere(_ word: String) throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: temporary.folder.path)
    return names.contains { name in
      let bytes = FileManager.default.contents(atPath: "\(temporary.folder.path)/\(name)") ?? Data()
      let lower = Data(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
      return lower.range(of: Data(word.utf8)) != nil
    }
  }

  private func imported(_ texts: [String], keyed: Bool = true) -> ImportBatch {
    var batch = ImportBatch()
    for (number, text) in texts.enumerated() {
      var details = ImportDetails()
      if keyed { details.source = Message.Source(platform: "test", id: "m\(number)", original: text) }
      batch.add(text, at: minute(number), .millisecond, details: details)
    }
    return batch
  }

  @Test func `a redacted message keeps its place, and no byte of its words is in any file`() throws {
    let room = try store.makeConversation(named: "general").id
    let before = try store.append([NewMessage("before", from: "bob")], to: room)[0]
    let id = try store.append(
      [
        NewMessage(
          "a zebraquartz " + String(repeating: "zebraquartz ", count: 500), from: ann,
          replyTo: .message(before),
          files: [
            NewAttachment(Array("zebraquartz in a small file".utf8), name: "zebraquartz.txt"),
            NewAttachment(
              Array(repeating: Array("zebraquartz ".utf8), count: 20_000).flatMap { $0 }, name: "large"),
          ], source: Message.Source(platform: "acme", id: "1", original: "zebraquartz"),
          payload: Array("zebraquartz".utf8))
      ], to: room)[0]
    try store.edit(id, text: "another zebraquartz")
    try store.react("zebraquartz", to: id, by: "bob")
    try store.star([id])
    let reply = try store.append([NewMessage("reply", from: "bob", replyTo: .message(id))], to: room)[0]
    #expect(try isAnywhere("zebraquartz"))

    try store.redact([id], by: ann, at: minute(3))
    let message = try #require(try store.message(id))
    #expect(message.deletion == Message.Deletion(at: minute(3), by: ann))
    #expect(message.text.isEmpty && message.textByteCount == 0 && !message.isEdited)
    #expect(message.sender?.name == "ann" && message.replyTo == before && message.starredAt == nil)
    #expect(message.reactions.isEmpty && message.attachments.isEmpty)
    #expect(try store.edits(of: id).isEmpty && store.payload(of: id) == nil)
    #expect(try store.message(reply)?.replyTo == id)
    #expect(try store.messageID(platform: "acme", id: "1") == id)
    #expect(try store.hits(.matching("zebraquartz")).hits.isEmpty)
    #expect(try store.numbers("SELECT count(*) FROM content") == [0])
    #expect(try !isAnywhere("zebraquartz"))
    #expect(try store.check().problems == [])
    try temporary.expectTrueCounts()
  }

  @Test func `among many messages, compacting removes what earlier reorganisations left`() throws {
    let rooms = try ["a", "b"].map { try store.makeConversation(named: $0).id }
    var secrets: [Message.ID] = []
    for index in 0..<400 {
      let text = index % 8 == 0 ? "zebraquartz\(index)" : "message \(index)"
      let id = try store.append([NewMessage(text, from: "ann")], to: rooms[index % 3 % 2])[0]
      if index % 8 == 0 { secrets.append(id) }
    }
    try store.redact(secrets)
    #expect(try store.hits(.matching("zebraquartz*")).hits.isEmpty)
    try store.compact(secure: true)
    #expect(try !isAnywhere("zebraquartz"))
    #expect(try store.messages(pageSize: 90).count { $0.deletion == Message.Deletion(at: minute(7)) } == 50)
    #expect(try store.check().problems == [])
  }

  @Test func `contents that another message names stay`() throws {
    let room = try store.makeConversation(named: "general").id
    let file = NewAttachment(Array("shared".utf8), name: "shared.txt")
    let ids = try store.append(
      [NewMessage("one", files: [file]), NewMessage("two", files: [file])], to: room)
    try store.redact([ids[0]])
    let content = try #require(try store.message(ids[1])?.attachments.first?.sha256)
    #expect(try store.content(content) == Array("shared".utf8))
    try store.redact([ids[1]])
    #expect(throws: StoreError.self) { try store.content(content) }
    #expect(try store.check().problems == [])
  }

  @Test func `redacting again is no error, of a missing message it is, and nothing is redacted then`() throws
  {
    let room = try store.makeConversation(named: "general").id
    let ids = try store.append([NewMessage("one"), NewMessage("two")], to: room)
    try store.redact([ids[0]], by: ann, at: minute(1))
    try store.redact([ids[0]], at: minute(2))
    #expect(try store.message(ids[0])?.deletion == Message.Deletion(at: minute(1), by: ann))
    let error = #expect(throws: StoreError.self) { try store.redact([ids[1], Message.ID(rawValue: 5)]) }
    #expect(error?.kind == .notFound)
    #expect(try store.texts() == ["", "two"])
    try store.delete([ids[1]])
    #expect(throws: StoreError.self) { try store.redact([ids[1]]) }
  }

  @Test func `a redacted message gets no other text and no file`() throws {
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("one")], to: room)[0]
    let edit = try #require(try store.reversibleEdit(id, text: "two"))
    try store.redact([id])
    let changes: [() throws -> Void] = [
      { _ = try store.edit(id, text: "three") }, { try store.takeBack(edit) },
      { _ = try store.attach([NewAttachment([1], name: "a")], to: id) },
    ]
    for change in changes {
      let error = #expect(throws: StoreError.self) { try change() }
      #expect(error?.kind == .invalidRequest)
    }
    #expect(try store.texts() == [""])
    #expect(try store.check().problems == [])
  }

  @Test(arguments: [true, false])
  func `importing its history again does not restore it`(isKeyed: Bool) throws {
    let batch = imported(["keep", "a zebraquartz"], keyed: isKeyed)
    try store.load([batch])
    let id = try store.messages()[1].id
    try store.redact([id], by: ann)
    #expect(try store.load([batch]).alreadyThere == 2)
    #expect(try store.texts() == ["keep", ""])
    #expect(try store.message(id)?.deletion?.sender == "ann")
    var fuller = imported(["keep", "a zebraquartz"], keyed: isKeyed)
    fuller.details[1]?.edits = [Message.Edit(time: minute(1), text: "zebraquartz")]
    fuller.details[1]?.attachments = [Message.Attachment(name: "zebraquartz.txt")]
    try store.load([fuller])
    #expect(try store.messages().map(\.attachments.count) == [0, 0] && store.edits(of: id).isEmpty)
    #expect(try store.check().problems == [])
    if !isKeyed { return }
    try store.append(
      [NewMessage("a zebraquartz", source: Message.Source(platform: "test", id: "m1"))],
      to: store.conversations()[0].id)
    #expect(try store.texts() == ["keep", ""])
  }

  @Test func `undoing the import, merging, moving, deleting and restoring take the deletion along`() throws {
    try store.load([imported(["one", "two", "three"])])
    let ids = try store.messages().map(\.id)
    try store.redact([ids[0], ids[1]], by: ann)
    let other = try store.makeConversation(named: "other").id
    try store.mergeConversation(try store.conversations()[0].id, into: other)
    let moved = try store.move(ids[0], to: minute(30))
    try store.restore(store.delete([ids[1]]))
    #expect(try store.message(moved)?.deletion?.sender == "ann")
    #expect(try store.message(ids[1])?.deletion?.sender == "ann")
    #expect(try store.numbers("SELECT count(*) FROM deletion") == [2])
    #expect(try store.check().problems == [])
    try store.delete([ids[1]])
    #expect(try store.numbers("SELECT count(*) FROM deletion") == [1])
    for load in try store.imports() { try store.undoImport(load.id) }
    #expect(try store.numbers("SELECT count(*) FROM deletion") == [0])
    #expect(try store.check().problems == [])
  }

  @Test func `backups, salvage and the view of messages have it`() throws {
    try store.load([imported(["one", "two"])])
    try store.redact([try store.messages()[1].id], by: ann, at: minute(3))
    let (backup, salvaged) = (temporary.folder.path + "/backup.db", temporary.folder.path + "/salvaged.db")
    try store.backup(to: backup)
    #expect(try SynchronousMessageStore.salvage(store.path, to: salvaged).losses == [])
    for path in [backup, salvaged] {
      let copy = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
      defer { copy.close() }
      #expect(try copy.messages() == store.messages(), "\(path)")
      #expect(try copy.check().problems == [], "\(path)")
    }
    let rows = try store.reading("") { db in
      try RawStatement(db, "SELECT deleted_time, deleted_by FROM messages ORDER BY id").map { row in
        "\(row.optionalText(0) ?? "-") \(row.optionalText(1) ?? "-")"
      }
    }
    #expect(rows == ["- -", "2024-05-01T12:03:00.000Z ann"])
  }

  @Test func `an import brings redacted messages`() throws {
    var batch = imported([""])
    batch.details[0]?.deletion = Message.Deletion(at: minute(2), by: ann)
    try store.load([batch])
    #expect(try store.messages().map(\.deletion) == [Message.Deletion(at: minute(2), by: ann)])
    #expect(try store.load([batch]).alreadyThere == 1)
    #expect(try store.check().problems == [])
  }

  @Test func `check finds a deletion without its message, and a message without its deletion`() throws {
    try store.load([imported(["one", "two"])])
    try store.redact([try store.messages()[0].id])
    try store.writing("") { db in
      try RawStatement.run(db, "UPDATE deletion SET message = message + 1")
    }
    #expect(try store.check().problems.count == 2)
    _ = try store.check(repair: true)
    #expect(try store.check().problems == [])
  }

  @Test func `several in one write are one change, which another process sees at once`() throws {
    let room = try store.makeConversation(named: "general").id
    let ids = try store.append([NewMessage("one"), NewMessage("two"), NewMessage("three")], to: room)
    let other = try temporary.another()
    defer { other.close() }
    #expect(try other.texts() == ["one", "two", "three"])
    let version = try other.version(of: .everything)
    try store.write { store in
      try store.redact([ids[0]], by: ann)
      try store.append([NewMessage("four zebraquartz")], to: room)
      try store.redact([ids[2]], by: ann)
    }
    #expect(try other.texts() == ["", "two", "", "four zebraquartz"])
    #expect(try other.changes(since: version).edited == [ids[0], ids[2]])
    #expect(try store.hits(.matching("three")).hits.isEmpty)
    let last = try #require(try store.messages().last?.id)
    try other.redact([last])
    #expect(try store.messages().last?.deletion != nil)
    #expect(try !isAnywhere("zebraquartz"))
  }

  @Test func `the log keeps what a snapshot reads, and is emptied when that has ended`() throws {
    let room = try store.makeConversation(named: "general").id
    let ids = try store.append([NewMessage("a zebraquartz"), NewMessage("two")], to: room)
    do {
      let snapshot = try store.snapshot()
      try store.redact([ids[0]])
      #expect(try isAnywhere("zebraquartz"))
      #expect(try snapshot.page(PageRequest(.everything)).messages[0].text == "a zebraquartz")
    }
    try store.redact([ids[1]])
    #expect(try !isAnywhere("zebraquartz"))
  }

  @Test func `a write that throws redacts nothing`() throws {
    let room = try store.makeConversation(named: "general").id
    let file = NewAttachment(Array(repeating: 7, count: 200_000), name: "large")
    let id = try store.append([NewMessage("one", files: [file])], to: room)[0]
    #expect(throws: CancellationError.self) {
      try store.write { store in
        try store.redact([id])
        throw CancellationError()
      }
    }
    let message = try #require(try store.message(id))
    #expect(message.text == "one" && message.deletion == nil)
    #expect(try store.content(message.attachments[0].sha256 ?? "").count == 200_000)
    #expect(try store.check().problems == [])
  }
}
