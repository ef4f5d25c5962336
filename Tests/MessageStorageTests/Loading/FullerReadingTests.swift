import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// A program that understands more of an export reads the same messages again.
@Suite struct FullerReadingTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }

  @discardableResult
  private func load(
    _ text: String, kind: Message.Kind = .text, isEdited: Bool = false, isNeverEdited: Bool = false,
    reactions: [Message.Reaction] = []
  ) throws -> BulkImport.Counts {
    var details = ImportDetails()
    details.source = Message.Source(platform: "test", id: "1")
    details.isEdited = isEdited
    details.isNeverEdited = isNeverEdited
    details.reactions = reactions
    var batch = ImportBatch()
    batch.add(text, at: minute(0), kind: kind, details: details)
    return try store.load([batch])
  }

  @Test(arguments: ["", "[poll]", "[game: Snail Race]"])
  func `the text takes the place of the word for what it is, and that is no edit`(before: String) throws {
    try load(before)
    #expect(try load("Which day?").updated == 1)
    let message = try #require(try store.messages().first)
    #expect(message.text == "Which day?" && !message.isEdited)
    #expect(try store.edits(of: message.id).isEmpty)
    // An earlier program takes nothing of it back.
    #expect(try load(before).updated == 0)
    #expect(try store.texts() == ["Which day?"])
    #expect(try store.hits(.matching("day")).hits.count == 1 && store.check().problems == [])
  }

  @Test func `what its platform says was edited is an edit`() throws {
    try load("[ok]")
    #expect(try load("Which day?", isEdited: true).updated == 1)
    let message = try #require(try store.messages().first)
    #expect(message.isEdited)
    #expect(try store.edits(of: message.id).map(\.text) == ["[ok]"])
  }

  @Test(arguments: ["tea", "tea at fo", "tea at four,\n", "tea at four,\nor \u{FFFD}"])
  func `the rest of a text that was cut completes it, and that is not an edit`(cut: String) throws {
    let whole = "tea at four,\nor 5"
    try load(cut)
    #expect(try load(whole).updated == 1)
    for text in [cut, whole, whole + "\n", whole] {
      try load(text)
      let message = try #require(try store.messages().first)
      #expect(message.text.hasPrefix(whole) && !message.isEdited)
      #expect(try store.edits(of: message.id).isEmpty)
    }
    #expect(try load(cut).updated == 0)
    #expect(try store.hits(.matching("four")).hits.count == 1 && store.check().problems == [])
  }

  @Test func `a longer text that its platform marks as edited is an edit`() throws {
    try load("tea")
    #expect(try load("tea at four", isEdited: true).updated == 1)
    // An export from before the edit changes nothing.
    #expect(try load("tea at four, or five").updated == 0)
    let message = try #require(try store.messages().first)
    #expect(message.text == "tea at four" && message.isEdited)
    #expect(try store.edits(of: message.id).map(\.text) == ["tea"])
  }

  @Test func `a message that is completed keeps the reactions that were made here`() throws {
    try load("tea at")
    try store.react("!", to: #require(try store.messages().first).id, by: "me")
    try load("tea at four", reactions: [Message.Reaction(emoji: "+", senders: ["bob"])])
    #expect(try store.messages().first?.reactions.map(\.emoji) == ["!", "+"])
  }

  @Test func `where a platform has no edits, only the rest of a text changes it`() throws {
    try load("tea at", isNeverEdited: true)
    #expect(try load("tea at four", isNeverEdited: true).updated == 1)
    #expect(try load("coffee at five o'clock", isNeverEdited: true).updated == 0)
    let message = try #require(try store.messages().first)
    #expect(message.text == "tea at four" && !message.isEdited)
  }

  @Test func `an event in other words of a later version is not an edit`() throws {
    try load("left", kind: .system)
    #expect(try load("changed the picture of the group", kind: .system).updated == 1)
    let message = try #require(try store.messages().first)
    #expect(message.text == "changed the picture of the group" && !message.isEdited)
    #expect(try store.edits(of: message.id).isEmpty && store.check().problems == [])
  }
}
