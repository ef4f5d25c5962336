import TerminalText
import Testing

struct ScrollBarTests {
  @Test func `it touches an end only where the history ends`() throws {
    for total in [12, 100, 5_000, 10_000_000] {
      for first in Set([0, 1, 2, total / 3, total / 2, total - 12, total - 11, total - 10]) {
        let bar = ScrollBar(first: first, count: 10, total: total, rows: 20)
        guard first <= total - 10 else {
          #expect(bar == nil)
          continue
        }
        let thumb = try #require(bar).thumb
        #expect((thumb.lowerBound == 0) == (first == 0), "\(first) of \(total)")
        #expect((thumb.upperBound == 20) == (first == total - 10), "\(first) of \(total)")
        #expect(!thumb.isEmpty)
      }
    }
  }

  @Test func `its length is the share that is in view`() throws {
    #expect(try #require(ScrollBar(first: 25, count: 50, total: 100, rows: 20)).thumb == 5..<15)
  }

  @Test func `there is none where all is in view, or nothing is known`() {
    #expect(ScrollBar(first: 0, count: 10, total: 10, rows: 20) == nil)
    #expect(ScrollBar(first: 0, count: 0, total: 0, rows: 20) == nil)
    #expect(ScrollBar(first: -1, count: 5, total: 100, rows: 20) == nil)
    #expect(ScrollBar(first: 99, count: 5, total: 100, rows: 20) == nil)
  }
}
