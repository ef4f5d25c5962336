import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Newer exports bring edits and reactions of messages that are there already; older ones change nothing.
@Suite struct ImportUpdateTests {
  @Test func `a newer export's text takes the place of the older one, which goes into the history`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "tea at four")
    let counts = try fixture.load(text: "tea at five", editedAt: minute(5))
    #expect(counts.alreadyThere == 1 && counts.updated == 1 && counts.addedCount == 0)
    let record = try fixture.record()
    #expect(record.message.text == "tea at five")
    #expect(record.message.isEdited && record.message.revision == 1)
    #expect(record.edits == [Message.Edit(time: minute(5), text: "tea at four")])
    #expect(record.editedAt == minute(5))
    // The search index follows, as do all counts.
    #expect(try fixture.store.texts(Selection(.all, where: .matching("five"))) == ["tea at five"])
    #expect(try fixture.store.texts(Selection(.all, where: .matching("four"))) == [])
    try fixture.temporary.expectTrueCounts()
    #expect(try fixture.store.check().problems == [])
  }

  @Test func `older exports imported after newer ones change nothing, whatever their order`() throws {
    let versions: [(text: String, editedAt: Timestamp?, reactions: [String])] = [
      ("one", nil, []), ("two", minute(5), ["+"]), ("three", minute(9), ["+", "-"]),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let fixture = try ShellFixture()
      for index in order {
        let version = versions[index]
        try fixture.load(text: version.text, editedAt: version.editedAt, reactions: version.reactions)
      }
      let before = try fixture.record()
      #expect(before.message.text == "three", "\(order)")
      #expect(before.message.reactions.map(\.emoji) == ["+", "-"], "\(order)")
      #expect(before.editedAt == minute(9), "\(order)")
      for version in versions {
        let counts = try fixture.load(
          text: version.text, editedAt: version.editedAt, reactions: version.reactions)
        #expect(counts.updated == 0, "\(order)")
      }
      #expect(try fixture.record() == before)
    }
  }

  @Test func `an edit made here is kept against an older export, and gives way to a later edit`() throws {
    let fixture = try ShellFixture(clock: minute(60))
    try fixture.load(text: "first")
    try fixture.store.edit(try fixture.record().message.id, text: "mine")
    #expect(try fixture.load(text: "first").updated == 0)
    #expect(try fixture.load(text: "theirs, before", editedAt: minute(30)).updated == 0)
    #expect(try fixture.record().message.text == "mine")
    #expect(try fixture.load(text: "theirs, after", editedAt: minute(90)).updated == 1)
    let record = try fixture.record()
    #expect(record.message.text == "theirs, after")
    #expect(record.edits.map(\.text) == ["first", "mine"])
  }

  @Test func `different texts of one import under an id that nobody warrants are different messages`() throws
  {
    let fixture = try ShellFixture()
    func load(_ texts: [String], editedAt: Timestamp? = nil) throws -> BulkImport.Counts {
      let load = try BulkImport(into: fixture.store, .init(name: "x", format: "test", zone: "UTC"))
      for text in texts {
        var details = ImportDetails()
        details.source = Message.Source(platform: "x", id: "1")
        details.hasDoubtfulID = true
        details.editedAt = editedAt
        var batch = ImportBatch()
        batch.add(text, at: minute(0), kind: .text, details: details)
        try load.add(batch)
      }
      return try load.finish()
    }
    func texts() throws -> [String] { try fixture.store.texts(Selection(.all)).sorted() }
    #expect(try load(["one"]).addedCount == 1)
    #expect(try load(["one", "two", "three", "two"]).addedCount == 2)
    for order in [["one", "two", "three"], ["three", "two", "one"], ["two"]] {
      let counts = try load(order)
      #expect(counts.addedCount == 0 && counts.updated == 0 && counts.alreadyThere == order.count)
    }
    #expect(try texts() == ["one", "three", "two"])
    // What the platform says to be edited, and what an import of another day says, is the message of that id.
    #expect(try load(["one, later"], editedAt: minute(5)).updated == 1)
    #expect(try texts() == ["one, later", "three", "two"])
    #expect(try fixture.store.check().problems == [])
  }

  @Test func `a deletion in a newer export takes nothing away`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "kept", reactions: ["+"])
    #expect(try fixture.load(text: "", editedAt: minute(5)).updated == 0)
    #expect(try fixture.load(text: "message deleted", kind: .system).updated == 0)
    let record = try fixture.record()
    #expect(record.message.text == "kept" && record.message.kind == .text && !record.message.isEdited)
    #expect(record.message.reactions.map(\.emoji) == ["+"])
  }

  @Test func `an export that brings the texts before fills the history in`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "two")
    let edits = [Message.Edit(time: minute(3), text: "one"), Message.Edit(time: minute(5), text: "two")]
    try fixture.load(text: "three", edits: edits)
    #expect(try fixture.record().edits == edits)
    #expect(try fixture.load(text: "three", edits: edits).updated == 0)
    #expect(try fixture.load(text: "two", edits: [edits[0]]).updated == 0)
    #expect(try fixture.record().message.text == "three")
  }

  @Test func `missing facts of attachments, replies and threads are filled in`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "look", attachments: [Message.Attachment(name: "a.jpg")])
    var batch = ImportBatch()
    var other = ImportDetails()
    other.source = Message.Source(platform: "x", id: "2")
    batch.add("what?", at: minute(-1), details: other)
    try fixture.store.load([batch])
    let first = try #require(try fixture.store.messages().first)
    let full = Message.Attachment(name: "a.jpg", byteCount: 5, sha256: "ab", path: "media/a.jpg")
    let counts = try fixture.load(
      text: "look", attachments: [full, Message.Attachment(name: "b.jpg")], replyTo: .external("2"))
    #expect(counts.updated == 1)
    let message = try fixture.record().message
    #expect(message.attachments == [full, Message.Attachment(name: "b.jpg")])
    #expect(message.replyTo == first.id)
    #expect(try fixture.load(text: "look", attachments: [Message.Attachment(name: "a.jpg")]).updated == 0)
    #expect(try fixture.store.page(PageRequest(Selection(.all, where: .has(.reply)))).messages.count == 1)
  }

  @Test func `an attachment keeps its content when another export says more, or other things, of it`() throws
  {
    let fixture = try ShellFixture()
    try fixture.load(text: "look", attachments: [Message.Attachment(name: "a.bin", path: "a.bin")])
    let conversation = try #require(try fixture.store.conversations().first).id
    let bytes = Array("what it holds".utf8)
    let staged = try fixture.store.stage(NewAttachment(bytes, name: "a.bin"), doing: "test")
    try fixture.store.setContent(staged, of: fixture.store.missingContents(in: [conversation], limit: 9))
    let before = try #require(try fixture.record().message.attachments.first)
    #expect(before.isStored)
    let others = [
      Message.Attachment(
        name: "a.bin", mediaType: "image/png", byteCount: 5, sha256: "ab", path: "elsewhere/a.bin"),
      Message.Attachment(name: "b.bin"),
    ]
    #expect(try fixture.load(text: "look", attachments: others).updated == 1)
    let message = try fixture.record().message
    #expect(message.attachments == [before, Message.Attachment(name: "b.bin")])
    #expect(try fixture.store.content(before.sha256 ?? "") == bytes)
    #expect(try fixture.load(text: "look", attachments: others).updated == 0)
    #expect(try fixture.store.check().problems == [])
  }

  @Test func `a newer text that is too long for a message is attached, once`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "short")
    let long = String(repeating: "lang ", count: SynchronousMessageStore.maxTextByteCount / 5 + 1)
    #expect(try fixture.load(text: long, editedAt: minute(5)).updated == 1)
    let message = try fixture.record().message
    #expect(message.text.utf8.count < 1_000_000 && long.hasPrefix(message.text))
    #expect(message.attachments.map(\.byteCount) == [long.utf8.count])
    #expect(
      try fixture.store.page(PageRequest(Selection(.all, where: .has(.attachment)))).messages.count == 1)
    #expect(try fixture.load(text: long, editedAt: minute(5)).updated == 0)
    #expect(try fixture.record().message == message)
    #expect(try fixture.store.check().problems == [])
  }

  @Test func `reactions of an export of the same age are added to those made here`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "nice")
    try fixture.store.react("!", to: try fixture.record().message.id, by: "me")
    #expect(try fixture.load(text: "nice", reactions: ["+"]).updated == 1)
    #expect(
      try fixture.record().message.reactions == [
        Message.Reaction(emoji: "!", senders: ["me"]), Message.Reaction(emoji: "+", senders: ["bob"]),
      ])
  }

  @Test func `a message that was deleted here stays away`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "gone")
    try fixture.store.delete([try fixture.record().message.id])
    let counts = try fixture.load(text: "gone again", editedAt: minute(5))
    #expect(counts.alreadyThere == 1 && counts.updated == 0)
    #expect(try fixture.store.messages() == [])
  }

  @Test func `formats that write one text differently do not take each other's for edits`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "**bold**", format: "discord")
    #expect(try fixture.load(text: "bold", format: "discord-html").updated == 0)
    #expect(try fixture.load(text: "**bolder**", format: "discord").updated == 1)
    #expect(try fixture.record().message.text == "**bolder**")
  }

  @Test func `undo takes back the messages of an import, and leaves what it said of earlier ones`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "tea at four")
    var batch = fixture.batch(text: "tea at five", editedAt: minute(5))
    batch.add("another", at: minute(9))
    let load = try BulkImport(into: fixture.store, .test)
    try load.add(batch)
    _ = try load.finish()
    try fixture.store.undoImport(load.batchID)
    let record = try fixture.record()
    #expect(try fixture.store.texts() == ["tea at five"])
    #expect(record.edits.map(\.text) == ["tea at four"])
  }

  @Test func `a saved filter follows what an import changes`() throws {
    let fixture = try ShellFixture()
    try fixture.load(text: "tea at four")
    try fixture.store.saveFilter(named: "fives", words: "", predicate: .regex("five"))
    #expect(try fixture.store.countMessages(ofFilter: "fives").total == 0)
    try fixture.load(text: "tea at five", editedAt: minute(5))
    #expect(try fixture.store.savedFilter(named: "fives")?.total == 1)
  }

  @Test func `a message that names itself as what it answers answers nothing, however often it is imported`()
    throws
  {
    let fixture = try ShellFixture()
    for text in ["tea", "tea", "tea at five"] {
      let counts = try fixture.load(
        text: text, editedAt: text == "tea" ? nil : minute(5), replyTo: .external("1"), thread: .external("1")
      )
      #expect(counts.updated == (text == "tea" ? 0 : 1))
      let record = try fixture.record()
      #expect(record.message.replyTo == nil && record.message.thread == nil)
      #expect(try fixture.store.texts(Selection(.all, where: .has(.reply))) == [])
    }
    #expect(try fixture.store.check().problems == [])
  }

  @Test func `a message that names its own id as what it answers answers nothing`() throws {
    let fixture = try ShellFixture()
    var details = ImportDetails()
    details.id = Message.ID(time: minute(1))
    details.replyTo = .message(Message.ID(time: minute(1)))
    details.thread = details.replyTo
    var batch = ImportBatch()
    batch.add("mine", at: minute(1), .millisecond, details: details)
    for _ in 1...2 { _ = try fixture.store.load([batch]) }
    let messages = try fixture.store.messages()
    #expect(messages.map(\.text) == ["mine"])
    #expect(messages.map(\.replyTo) == [nil] && messages.map(\.thread) == [nil])
  }

  @Test func `messages that answer each other in a circle do so once, however often they are imported`()
    throws
  {
    let fixture = try ShellFixture()
    var batch = ImportBatch()
    for number in 1...3 {
      var details = ImportDetails()
      details.source = Message.Source(platform: "x", id: "\(number)")
      details.replyTo = .external("\(number % 3 + 1)")
      details.thread = .external("\(number % 3 + 1)")
      batch.add("number \(number)", at: minute(number), details: details)
    }
    #expect(try fixture.store.load([batch]).addedCount == 3)
    let before = try fixture.store.messages()
    #expect(before.map(\.replyTo) == [before[1].id, before[2].id, before[0].id])
    let again = try fixture.store.load([batch])
    #expect(again.alreadyThere == 3 && again.updated == 0)
    #expect(try fixture.store.messages() == before)
    #expect(try fixture.store.check().problems == [])
  }
}

/// A store into which one message is imported again and again.
private struct ShellFixture {
  let temporary: TemporaryStore
  var store: SynchronousMessageStore { temporary.store }

  init(clock: Timestamp = minute(60)) throws { temporary = try TemporaryStore(clock: clock) }

  @discardableResult
  func load(
    text: String, kind: Message.Kind = .text, editedAt: Timestamp? = nil, edits: [Message.Edit] = [],
    reactions: [String] = [], attachments: [Message.Attachment] = [],
    replyTo: Message.Reference? = nil, thread: Message.Reference? = nil, format: String = "test"
  ) throws -> BulkImport.Counts {
    let load = try BulkImport(into: store, .init(name: "x", format: format, zone: "UTC"))
    try load.add(
      batch(
        text: text, kind: kind, editedAt: editedAt, edits: edits, reactions: reactions,
        attachments: attachments, replyTo: replyTo, thread: thread))
    return try load.finish()
  }

  func batch(
    text: String, kind: Message.Kind = .text, editedAt: Timestamp? = nil, edits: [Message.Edit] = [],
    reactions: [String] = [], attachments: [Message.Attachment] = [],
    replyTo: Message.Reference? = nil, thread: Message.Reference? = nil
  ) -> ImportBatch {
    var details = ImportDetails()
    details.source = Message.Source(platform: "x", id: "1")
    details.isEdited = editedAt != nil
    details.editedAt = editedAt
    details.edits = edits
    details.reactions = reactions.map { Message.Reaction(emoji: $0, senders: ["bob"]) }
    details.attachments = attachments
    details.replyTo = replyTo
    details.thread = thread
    var batch = ImportBatch()
    batch.add(text, at: minute(0), kind: kind, details: details)
    return batch
  }

  /// The one message.
  func record() throws -> MessageRecord {
    let page = try store.records(PageRequest(.everything, fetchLimit: 9))
    return try #require(page.records.first { $0.source?.id == "1" })
  }
}
