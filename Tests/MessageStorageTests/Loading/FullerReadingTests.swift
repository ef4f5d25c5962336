import MessageModel
import Testing

@testable import MessageStorage

/// A program that understands more of an export reads the same messages again.
@Suite struct FullerReadingTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }

  private func load(_ text: String, isEdited: Bool = false) throws -> BulkImport.Counts {
    var details = ImportDetails()
    details.source = Message.Source(platform: "test", id: "1")
    details.isEdited = isEdited
    var batch = ImportBatch()
    batch.add(text, at: minute(0), details: details)
    return try store.load([batch])
  }

  @Test(arguments: ["", "[poll]", "[game: Snail Race]"])
  func `the text takes the place of the word for what it is, and that is no edit`(before: String) throws {
    _ = try load(before)
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
    _ = try load("[ok]")
    #expect(try load("Which day?", isEdited: true).updated == 1)
    let message = try #require(try store.messages().first)
    #expect(message.isEdited)
    #expect(try store.edits(of: message.id).map(\.text) == ["[ok]"])
  }
}
