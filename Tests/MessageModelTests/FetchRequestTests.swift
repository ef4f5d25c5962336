import MessageModel
import Testing

@Suite struct FetchRequestTests {
  @Test func `a request asks for the newest fifty, with their counts, unless it says otherwise`() {
    let request = PageRequest(.everything)
    #expect(request.order == .oldestFirst && request.anchor == .newest && request.wantsCounts)
    #expect(request.fetchLimit == 50 && request.fetchOffset == 0 && request.olderShare == nil)
  }

  @Test func `only anchors in the middle reach out to both sides`() {
    let id = Message.ID(rawValue: 1)
    let ends: [PageAnchor] = [.newest, .oldest, .before(id), .after(id)]
    let middles: [PageAnchor] = [.around(id), .time(id.placeTime), .ordinal(0), .percent(50), .firstUnread]
    #expect(ends.allSatisfy { !$0.isAround } && middles.allSatisfy(\.isAround))
  }

  @Test func `a percentage is the nearest message, and what is none lies at an end`() {
    func ordinal(_ percent: Double, _ total: Int = 101) -> Int {
      PageAnchor.ordinal(atPercent: percent, of: total)
    }
    #expect([0, 50, 99.4, 99.6, 100].map { ordinal($0) } == [0, 50, 99, 100, 100])
    #expect([-1, -.infinity, .nan, 101, .infinity].map { ordinal($0) } == [0, 0, 0, 100, 100])
    #expect([0, 1, 2].map { ordinal(100, $0) } == [0, 0, 1])
    #expect(ordinal(100, 10_000_000) == 9_999_999)
  }

  @Test func `a page says of itself what it was not told: exact, of no version, going on nowhere`() {
    let page = Page(messages: [], hasOlder: true, hasNewer: false)
    #expect(page.hasOlder && !page.hasNewer && page.counts == nil && page.nextAnchor == nil)
    #expect(page.resolution == Page.Resolution(.exact) && page.resolution.message == nil)
    #expect(page.version == SourceVersion(inserted: 0, deleted: 0, changed: 0))
    #expect(Page.Counts(firstOrdinal: 3, total: 9).isExact)
  }
}
