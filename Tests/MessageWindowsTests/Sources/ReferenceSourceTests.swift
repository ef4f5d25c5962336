import MessageModel
import MessageSourceTesting
import Testing

@Suite struct ReferenceSourceTests {
  @Test func `pages lie next to their anchor`() throws {
    #expect(try picture(.newest) == "…7 8 9]")
    #expect(try picture(.oldest) == "[1 2 3…")
    #expect(try picture(.before(id(5))) == "…2 3 4…")
    #expect(try picture(.after(id(5))) == "…6 7 8…")
    #expect(try picture(.around(id(5))) == "…4 5 6…")
    #expect(try picture(.ordinal(4)) == "…4 5 6…")
    #expect(try picture(.percent(50)) == "…4 5 6…")
  }

  @Test func `what one side of an anchor lacks the other side gives`() throws {
    #expect(try picture(.around(id(1)), limit: 4) == "[1 2 3 4…")
    #expect(try picture(.around(id(9)), limit: 4) == "…6 7 8 9]")
    #expect(try picture(.around(id(5)), limit: 4, share: 3) == "…2 3 4 5…")
    #expect(try picture(.around(id(5)), limit: 20) == "[1 2 3 4 5 6 7 8 9]")
  }

  @Test func `an offset is counted from the anchor and may be beyond the end`() throws {
    #expect(try picture(.newest, order: .newestFirst, offset: 2) == "…7 6 5…")
    #expect(try picture(.oldest, offset: 2) == "…3 4 5…")
    #expect(try picture(.oldest, offset: 8) == "…9]")
    #expect(try picture(.oldest, offset: 50) == "…]")
    #expect(try picture(.newest, offset: .max) == "[…")
    #expect(try picture(.around(id(5)), offset: 2) == "…6 7 8…")
    #expect(try picture(.around(id(5)), order: .newestFirst, offset: .max) == "…3 2 1]")
  }

  @Test func `a negative limit or offset is refused`() {
    #expect(throws: StoreError.self) { try picture(.newest, limit: -1) }
    #expect(throws: StoreError.self) { try picture(.newest, offset: -1) }
  }

  @Test func `a limit of nothing asks for counts and flags alone`() throws {
    let page = try source.page(PageRequest(.everything, anchor: .after(id(5)), fetchLimit: 0))
    #expect(page.messages.isEmpty && page.hasOlder && page.hasNewer)
    #expect(page.counts == Page.Counts(firstOrdinal: 5, total: 9))
  }

  @Test func `an anchor that is not there gives its neighbour and says so`() throws {
    source.delete([id(1), id(5)])
    #expect(try resolution(.around(id(5))) == Page.Resolution(.nearestOlder, message: id(4)))
    #expect(try resolution(.around(id(1))) == Page.Resolution(.nearestNewer, message: id(2)))
    #expect(try resolution(.around(id(99))) == Page.Resolution(.nearestOlder, message: id(9)))
    #expect(try resolution(.ordinal(7)) == Page.Resolution(.clamped, message: id(9)))
    #expect(try resolution(.percent(-3)) == Page.Resolution(.clamped, message: id(2)))
    #expect(try resolution(.percent(.nan)) == Page.Resolution(.clamped, message: id(2)))
  }

  @Test(arguments: [
    PageAnchor.newest, .oldest, .time(Timestamp(millisecondsSince1970: 0)), .firstUnread, .ordinal(3),
  ])
  func `an empty history answers every anchor with nothing`(anchor: PageAnchor) throws {
    let page = try ReferenceSource().page(PageRequest(.everything, anchor: anchor))
    #expect(
      page
        == Page(
          messages: [], hasOlder: false, hasNewer: false, counts: Page.Counts(firstOrdinal: 0, total: 0),
          resolution: Page.Resolution(.nothing)))
  }

  @Test func `a time before all, after all and equal to several finds the first at or after it`() throws {
    let source = ReferenceSource(
      [Int64]([10, 20, 20, 30]).enumerated().map { place, time in
        let id = Message.ID(time: Timestamp(millisecondsSince1970: time), place: place)
        return Message(id: id, conversation: Conversation.ID(rawValue: 1), text: "")
      })
    let found = try [Int64]([0, 10, 20, 25, 31]).map { time in
      let anchor = PageAnchor.time(Timestamp(millisecondsSince1970: time))
      let resolution = try source.page(PageRequest(.everything, anchor: anchor, fetchLimit: 1)).resolution
      return "\(resolution.match) \(source.messages.firstIndex { $0.id == resolution.message } ?? -1)"
    }
    #expect(found == ["exact 0", "exact 0", "exact 1", "exact 3", "nearestOlder 3"])
  }

  @Test func `the first unread message is the oldest when nothing was read and none when all was`()
    throws
  {
    let conversation = Conversation.ID(rawValue: 1)
    #expect(try resolution(.firstUnread).message == id(1))
    source.setReadMark(id(4), of: conversation)
    #expect(try resolution(.firstUnread).message == id(5))
    source.setReadMark(id(9), of: conversation)
    #expect(try resolution(.firstUnread) == Page.Resolution(.exact))
  }

  @Test func `versions count what happened to the conversations of the selection alone`() throws {
    let second = Conversation.ID(rawValue: 2)
    source.append("a", to: second)
    source.append("b", to: second)
    source.edit(id(10), text: "c")
    source.delete([id(11), id(3)])
    #expect(try version(.some([second])) == SourceVersion(inserted: 2, deleted: 1, changed: 1))
    #expect(try version(.all) == SourceVersion(inserted: 11, deleted: 2, changed: 1))
    #expect(try version(.some([])) == SourceVersion())
  }

  private let source = ReferenceSource(count: 9)

  private func id(_ number: Int64) -> Message.ID { Message.ID(rawValue: number) }

  private func picture(
    _ anchor: PageAnchor, order: PageRequest.Order = .oldestFirst, limit: Int = 3, offset: Int = 0,
    share: Int? = nil
  ) throws -> String {
    let page = try source.page(
      PageRequest(
        .everything, order: order, anchor: anchor, fetchLimit: limit, fetchOffset: offset, olderShare: share))
    let ids = page.messages.map(\.id.description).joined(separator: " ")
    if order == .newestFirst { return (page.hasNewer ? "…" : "") + ids + (page.hasOlder ? "…" : "]") }
    return (page.hasOlder ? "…" : "[") + ids + (page.hasNewer ? "…" : "]")
  }

  private func resolution(_ anchor: PageAnchor) throws -> Page.Resolution {
    try source.page(PageRequest(Selection(Conversation.ID(rawValue: 1)), anchor: anchor)).resolution
  }

  private func version(_ conversations: Selection.Conversations) throws -> SourceVersion {
    try source.page(PageRequest(Selection(conversations))).version
  }
}
