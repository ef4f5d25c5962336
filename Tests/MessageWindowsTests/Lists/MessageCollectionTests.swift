import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

@Suite struct MessageCollectionTests {
  @Test(arguments: [0, 1, 99, 100, 101, 1_000]) func `it has the messages of its selection in order`(
    count: Int
  ) throws {
    let source = ReferenceSource(count: count)
    source.append("elsewhere", to: Conversation.ID(rawValue: 2))
    let collection = try MessageCollection(Selection(conversation), in: source)
    #expect(Array(collection) == source.messages.filter { $0.conversation == conversation })
    let reversed = try MessageCollection(Selection(conversation), order: .newestFirst, in: source)
    #expect(Array(reversed) == collection.reversed())
  }

  @Test func `slices and binary search work as on an array`() throws {
    let source = ReferenceSource(count: 10_000, step: 10)
    let collection = try MessageCollection(Selection(conversation), in: source)
    #expect(collection[4_000..<4_003].map(\.id) == [id(40_010), id(40_020), id(40_030)])
    var range = collection.startIndex..<collection.endIndex
    while !range.isEmpty {
      let middle = collection.index(range.lowerBound, offsetBy: range.count / 2)
      range = collection[middle].id < id(77_770) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    #expect(collection[range.lowerBound].text == "77770")
  }

  @Test func `pages looked at lately are not read again and others are let go of`() throws {
    let source = FailingSource(ReferenceSource(count: 1_000))
    let collection = try MessageCollection(Selection(conversation), in: source, pageSize: 10, pagesHeld: 2)
    source.restart()
    for index in [5, 15, 6, 16, 5, 25, 15] { _ = collection[index] }
    #expect(source.requests.map(\.fetchOffset) == [0, 10, 20, 10])
  }

  @Test func `what cannot be read is a placeholder and is tried again at the next look`() throws {
    let source = FailingSource(ReferenceSource(count: 1_000))
    let collection = try MessageCollection(Selection(conversation), in: source, pageSize: 10)
    source.restart(failingCalls: [1, 2])
    let placeholders = [collection[5], collection[6]]
    #expect(placeholders.allSatisfy { MessageCollection.isPlaceholder($0) })
    #expect(placeholders[0].id != placeholders[1].id && collection.error?.kind == .inputOutput)
    #expect(collection[5].id == id(6) && collection.error == nil)
  }

  @Test func `a source that changes gives placeholders, not other messages`() throws {
    let source = ReferenceSource(count: 1_000)
    let collection = try MessageCollection(Selection(conversation), in: source, pageSize: 10)
    #expect(collection[0].id == id(1))
    source.delete([id(500)])
    #expect(MessageCollection.isPlaceholder(collection[700]))
    #expect(collection.error?.summary == "cannot read on in this list")
  }
}
