import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Messages without ids of their platform, of which a program that understands more says more.
@Suite struct CompletingTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }

  /// Texts of one moment; those in brackets are words for what their messages are.
  private func batch(_ texts: [String], _ precision: TimePrecision = .millisecond) -> ImportBatch {
    var batch = ImportBatch()
    for text in texts { batch.add(text, at: minute(0), precision) }
    for (index, text) in texts.enumerated() where text.hasPrefix("[") { batch.setName(text, ofEntry: index) }
    return batch
  }

  @discardableResult
  private func load(_ texts: String..., precision: TimePrecision = .millisecond) throws -> BulkImport.Counts {
    try store.load([batch(texts, precision)])
  }

  private func expectNothingNew(in imports: [[String]]) throws {
    let before = try store.messages()
    for texts in imports {
      let counts = try store.load([batch(texts)])
      #expect(counts.addedCount == 0 && counts.alreadyThere == texts.count && counts.updated == 0, "\(texts)")
    }
    #expect(try store.messages() == before)
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test(arguments: ["", "[poll]", "[game: Snail Race]"])
  func `a message gets its text once, in whatever order the exports come again`(before: String) throws {
    try load("hello", before, "bye")
    let counts = try load("hello", "Which day?", "bye")
    #expect(counts.addedCount == 0 && counts.alreadyThere == 3 && counts.updated == 1)
    #expect(try store.texts() == ["hello", "Which day?", "bye"])
    let message = try store.messages()[1]
    #expect(!message.isEdited)
    #expect(try store.edits(of: message.id).isEmpty)
    #expect(try store.hits(.matching("day")).hits.count == 1)
    let (poor, full) = (["hello", before, "bye"], ["hello", "Which day?", "bye"])
    try expectNothingNew(in: [poor, full, full, poor, poor, full])
  }

  @Test func `messages of one millisecond are completed in their order`() throws {
    try load("[Share]", "[Share]")
    #expect(try load("one", "two").updated == 2)
    #expect(try store.texts() == ["one", "two"])
    try expectNothingNew(in: [["[Share]", "[Share]"], ["one", "two"]])
  }

  @Test func `those that are still not understood keep their places`() throws {
    try load("[Share]", "[Share]", "[Share]")
    #expect(try load("one", "[Share]", "[Share]").updated == 1)
    #expect(try load("one", "[Share]", "three").updated == 1)
    #expect(try store.texts() == ["one", "[Share]", "three"])
    // Another word for one of them adds nothing.
    try expectNothingNew(in: [["one", "[Post]", "three"], ["[Share]", "[Share]", "[Share]"]])
  }

  @Test func `if more or fewer come than stand there, nothing is completed and nothing is lost`() throws {
    try load("[Share]", "[Share]")
    let fewer = try load("one")
    #expect(fewer.addedCount == 1 && fewer.updated == 0)
    #expect(try store.texts() == ["[Share]", "[Share]", "one"])
    // The whole export says which of them are missing.
    let whole = try load("one", "two", "three")
    #expect(whole.addedCount == 0 && whole.updated == 2)
    #expect(try store.texts().sorted() == ["one", "three", "two"])
    try expectNothingNew(in: [["[Share]", "[Share]"], ["one", "two", "three"]])
  }

  @Test func `more messages than stand there are added beside them`() throws {
    try load("[Share]")
    let counts = try load("one", "two")
    #expect(counts.addedCount == 2 && counts.updated == 0)
    #expect(try store.texts().sorted() == ["[Share]", "one", "two"])
    try expectNothingNew(in: [["[Share]"], ["one", "two"]])
  }

  @Test func `an export that understands less adds nothing, in whatever order they come`() throws {
    try load("one", "two")
    try expectNothingNew(in: [["[Share]", "two"], ["[Share]", "[Share]"], ["one", "[Post]"]])
  }

  @Test func `a message that is not understood and comes with a completed one is one of its own`() throws {
    try load("[Share]")
    try load("one")
    #expect(try load("one", "[Share]").addedCount == 1)
    #expect(try store.texts() == ["one", "[Share]"])
    try expectNothingNew(in: [["one", "[Share]"], ["[Share]", "one"], ["[Share]", "[Share]"]])
  }

  @Test func `what a person wrote in brackets is not taken for a word of the platform`() throws {
    try load("tea at five")
    var batch = ImportBatch()
    batch.add("[ok]", at: minute(0), .millisecond)
    #expect(try store.load([batch]).addedCount == 1)
    #expect(try store.texts() == ["tea at five", "[ok]"])
  }

  /// Fuller records that are not the stored one's.
  static let others:
    [(sender: String?, time: Int, precision: TimePrecision, kind: Message.Kind, room: String)] =
      [
        ("bob", 0, .millisecond, .text, "general"), (nil, 0, .millisecond, .text, "general"),
        ("alice", 1, .millisecond, .text, "general"), ("alice", 0, .second, .text, "general"),
        ("alice", 0, .millisecond, .system, "general"), ("alice", 0, .millisecond, .text, "tea"),
      ]

  @Test(arguments: 0..<others.count)
  func `a message of another sender, time, kind or conversation is one of its own`(index: Int) throws {
    try load("[poll]")
    let other = Self.others[index]
    var batch = ImportBatch()
    batch.add(
      "Which day?", from: other.sender, at: minute(0).advanced(byMilliseconds: Int64(other.time)),
      other.precision, in: other.room, kind: other.kind)
    #expect(try store.load([batch]).addedCount == 1)
    #expect(try store.texts().sorted() == ["Which day?", "[poll]"])
  }

  @Test(arguments: [TimePrecision.second, .minute])
  func `a line in brackets is not taken for the next line of its log, which another piece has`(
    precision: TimePrecision
  ) throws {
    try load("[ok]", precision: precision)
    #expect(try load("tea at five", precision: precision).addedCount == 1)
    #expect(try store.texts() == ["[ok]", "tea at five"])
  }

  @Test func `files of one import complete nothing of each other`() throws {
    var batch = ImportBatch()
    for text in ["[Share]", "look"] { batch.add(text, at: minute(0), .millisecond) }
    let load = try BulkImport(into: store, .test)
    try load.add(batch, files: [0..<1, 1..<2])
    #expect(try load.finish().addedCount == 2)
    #expect(try store.texts().sorted() == ["[Share]", "look"])
  }

  @Test func `a message with an id of its platform is completed by that alone`() throws {
    var batch = ImportBatch()
    var details = ImportDetails()
    details.source = Message.Source(platform: "x", id: "1")
    batch.add("[poll]", at: minute(0), .millisecond, details: details)
    try store.load([batch])
    #expect(try load("Which day?").addedCount == 1)
  }

  @Test func `a message that was edited here stays as it is`() throws {
    try load("[poll]")
    try store.edit(#require(try store.messages().first).id, text: "[my poll]")
    #expect(try load("Which day?").addedCount == 1)
    #expect(try store.texts().sorted() == ["Which day?", "[my poll]"])
  }

  @Test func `a picture without words is completed by a message that has it, and by no other`() throws {
    func picture(_ text: String, _ files: String...) -> ImportBatch {
      var details = ImportDetails()
      details.attachments = files.map { Message.Attachment(name: $0) }
      var batch = ImportBatch()
      batch.add(text, at: minute(0), .millisecond, details: details)
      return batch
    }
    try store.load([picture("", "a.jpg")])
    #expect(try store.load([picture("look")]).addedCount == 1)
    #expect(try store.load([picture("our tea", "a.jpg", "b.jpg")]).updated == 1)
    let messages = try store.messages()
    #expect(messages.map(\.text).sorted() == ["look", "our tea"])
    #expect(messages.first { $0.text == "our tea" }?.attachments.map(\.name) == ["a.jpg", "b.jpg"])
    #expect(try store.check().problems == [])
  }

  @Test func `all that the fuller record says is taken, and an edit is one only if its platform says so`()
    throws
  {
    try load("[poll]")
    var details = ImportDetails()
    details.forward = Message.Forward(author: "Parish Council")
    details.reactions = [Message.Reaction(emoji: "+", senders: ["bob"])]
    details.isEdited = true
    var batch = ImportBatch()
    batch.add("Which day?", at: minute(0), .millisecond, details: details)
    #expect(try store.load([batch]).updated == 1)
    let message = try #require(try store.messages().first)
    #expect(message.text == "Which day?" && message.isEdited)
    #expect(message.forward?.author == "Parish Council" && message.reactions.map(\.emoji) == ["+"])
    #expect(try store.load([batch]).updated == 0)
    #expect(try store.check().problems == [])
  }

  @Test func `undo removes a completed message with the import that brought it, and it can come again`()
    throws
  {
    try load("[poll]")
    var later = batch(["Which day?"])
    later.add("On Monday", at: minute(1), .millisecond)
    let counts = try store.load([later])
    #expect(counts.addedCount == 1 && counts.updated == 1)
    try store.undoImport(store.imports()[1].id)
    #expect(try store.texts() == ["Which day?"])
    try expectNothingNew(in: [["[poll]"], ["Which day?"]])
    try store.undoImport(store.imports()[0].id)
    #expect(try store.texts() == [])
    #expect(try store.numbers("SELECT count(*) FROM duplicate") == [0])
    #expect(try load("Which day?").addedCount == 1)
    try expectNothingNew(in: [["Which day?"]])
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 8))
  func `exports by programs that understand more or less never double a message, in any order`(seed: UInt64)
    throws
  {
    var dice = Dice(seed: seed)
    let lines = (0..<60).map { (time: $0 / 3, sender: $0 % 2 == 0 ? "ann" : "bob", text: "line \($0 / 2)") }
    /// The first ones are understood.
    func export(_ understoodCount: Int) -> ImportBatch {
      var batch = ImportBatch()
      for (index, line) in lines.enumerated() {
        let isUnderstood = index < understoodCount
        batch.add(
          isUnderstood ? line.text : "", from: line.sender,
          at: minute(0).advanced(byMilliseconds: Int64(line.time)), .millisecond)
        if !isUnderstood { batch.setName("[Share]", ofEntry: index) }
      }
      return batch
    }
    for _ in 0..<6 {
      try store.load([export([0, 20, 40, 60].randomElement(using: &dice) ?? 0)])
      #expect(try store.messages(pageSize: 100).count == lines.count)
    }
    try store.load([export(60)])
    #expect(try store.texts(pageSize: 100) == lines.map(\.text))
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }
}
