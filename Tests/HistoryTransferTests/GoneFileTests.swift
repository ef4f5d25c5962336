import Foundation
import GRDB
import MessageStorage
import Testing

/// What a program deletes stays in the store, and a source says that files of it are gone.
@Suite struct GoneFileTests {
  private func gone(_ followed: Followed) throws -> Int {
    try #require(try followed.store.sources().first).source.goneFileCount
  }

  private func trouble(_ followed: Followed) throws -> String? {
    try #require(try followed.store.sources().first).source.trouble
  }

  private static func session(_ numbers: some Sequence<Int>, in session: String = "s1") -> String {
    numbers.map { number in
      #"{"type":"user","uuid":"u\#(number)","parentUuid":null,"sessionId":"\#(session)","#
        + #""timestamp":"2026-01-02T10:00:\#(number + 10)Z","#
        + #""message":{"role":"user","content":"question \#(number)"}}"# + "\n"
    }.joined()
  }

  private static func document(_ texts: String...) -> String {
    let rows = texts.enumerated().map { index, text in
      #"{"time":"2024-05-01T10:00:\#(index + 10)Z","sender":"ann","text":"\#(text)"}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test func `lines whose file is removed stay, and the source says that it is gone until it comes back`()
    throws
  {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.write("pot.log", Followed.line(2, "two"))
    try followed.settle()
    let content = try followed.content("tea.log")
    try FileManager.default.removeItem(atPath: followed.path("tea.log"))
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one", "two"])
    #expect(try gone(followed) == 1 && followed.troubles.isEmpty)
    let again = try followed.restarted()
    #expect(try again.texts() == ["one", "two"] && gone(again) == 1)
    try followed.write("tea.log", content + Followed.line(3, "three"))
    try again.settle(for: 20)
    #expect(try again.texts() == ["one", "two", "three"] && gone(again) == 0)
  }

  @Test func `what is removed while nobody follows is said by the next who does`() throws {
    let followed = try Followed()
    for number in 1...3 { try followed.write("s\(number).jsonl", Self.session([number], in: "s\(number)")) }
    try followed.settle(for: 5)
    try FileManager.default.removeItem(atPath: followed.path("s1.jsonl"))
    try FileManager.default.removeItem(atPath: followed.path("s3.jsonl"))
    let next = try followed.restarted()
    try next.settle(for: 10)
    #expect(try next.texts() == ["question 1", "question 2", "question 3"] && gone(next) == 2)
  }

  @Test func `a log that is rotated is not gone`() throws {
    let followed = try Followed()
    try followed.write("tea.log", Followed.line(1, "one"))
    try followed.settle(for: 5)
    try followed.move("tea.log", to: "tea.log.1")
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one"] && gone(followed) == 0)
  }

  @Test func `a session that is pruned in the middle and written anew keeps all its messages, each once`()
    throws
  {
    let followed = try Followed()
    try followed.write("s1.jsonl", Self.session(1...9))
    try followed.settle(for: 5)
    try followed.write("s1.jsonl", Self.session([1, 2, 8, 9, 10]))
    try followed.settle(for: 10)
    #expect(try followed.texts() == (1...10).map { "question \($0)" })
    try followed.overwrite("s1.jsonl", Self.session([10, 11]))
    try followed.settle(for: 10)
    #expect(try followed.texts() == (1...11).map { "question \($0)" })
    #expect(try followed.restarted().texts().count == 11)
  }

  @Test func `another file of the same name brings its messages, and those of the one before stay`() throws {
    for (name, first, second) in [
      ("tea.log", Followed.line(1, "one"), Followed.line(2, "two")),
      ("tea.json", Self.document("one"), Self.document("two")),
    ] {
      let followed = try Followed()
      try followed.write(name, first)
      try followed.settle(for: 10)
      try FileManager.default.removeItem(atPath: followed.path(name))
      try followed.settle(for: 20)
      #expect(try gone(followed) == 1, "\(name)")
      try followed.write(name, second)
      try followed.settle(for: 20)
      #expect(try followed.texts().sorted() == ["one", "two"], "\(name)")
      #expect(try gone(followed) == 0, "\(name)")
    }
  }

  @Test func `a document that is removed, or loses messages, loses none in the store`() throws {
    let followed = try Followed()
    try followed.write("tea.json", Self.document("one", "two", "three"))
    try followed.settle(for: 10)
    try followed.write("tea.json", Self.document("one"))
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one", "two", "three"] && gone(followed) == 0)
    try FileManager.default.removeItem(atPath: followed.path("tea.json"))
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one", "two", "three"] && gone(followed) == 1)
  }

  @Test func `rows that are deleted from a database stay, as does all of it when it is removed or replaced`()
    throws
  {
    let followed = try Followed()
    let messages = try ChatDatabase(at: followed.path("chat.db"))
    for text in ["one", "two", "three"] { try messages.add(text) }
    try followed.settle(for: 5)
    try messages.run("DELETE FROM message WHERE text = 'two'")
    try messages.run("DELETE FROM message WHERE text = 'three'")
    // All of it is read once more.
    try followed.settle(for: 610)
    #expect(try followed.texts() == ["one", "two", "three"])
    messages.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: messages.path + suffix) }
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one", "two", "three"] && gone(followed) == 1)
    let other = try ChatDatabase(at: followed.path("chat.db"))
    try other.run("UPDATE sqlite_sequence SET seq = 100; INSERT INTO chat VALUES (2, 'Pot', 'chat2', 43)")
    try other.run(
      """
      INSERT INTO message(guid, text, handle_id, date, is_from_me) VALUES ('other-1', 'four', 1, 800000000000000000, 0);
      INSERT INTO chat_message_join VALUES (1, last_insert_rowid())
      """)
    try followed.settle(for: 20)
    #expect(try followed.texts() == ["one", "two", "three", "four"] && gone(followed) == 0)
  }

  @Test func `a folder that is removed leaves its messages, and the source says so in the store`() throws {
    let followed = try Followed()
    try followed.write("projects/tea/s1.jsonl", Self.session(1...3))
    try followed.settle(for: 5)
    try FileManager.default.removeItem(atPath: followed.path("projects"))
    try followed.settle(for: 20)
    #expect(try followed.texts().count == 3 && gone(followed) == 1 && trouble(followed) == nil)
    try FileManager.default.removeItem(at: followed.folder)
    try followed.settle(for: 30)
    #expect(try followed.texts().count == 3)
    #expect(try trouble(followed) == "No such file or directory")
    try followed.write("projects/tea/s1.jsonl", Self.session(1...4))
    try followed.settle(for: 30)
    #expect(try followed.texts().count == 4 && gone(followed) == 0 && trouble(followed) == nil)
  }
}
