import ChatSession
import Foundation
import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
import TerminalText
import TestSupport
import Testing

struct HistoryViewTests {
  private let conversation = Conversation.ID(rawValue: 1)

  /// A source of messages a minute apart, their texts their numbers from 1, each `rows` rows high.
  private func source(_ count: Int, rows: Int = 1) -> ReferenceSource {
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1)).millisecondsSince1970
    return ReferenceSource(
      (0..<count).map { index in
        let id = Message.ID(time: Timestamp(millisecondsSince1970: start + Int64(index) * 60_000))
        let text = (["\(index + 1)"] + (1..<rows).map { "+\($0)" }).joined(separator: "\n")
        return Message(id: id, conversation: conversation, text: text)
      })
  }

  private func view(_ source: ReferenceSource, height: Int = 5) -> HistoryView {
    HistoryView(
      of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt),
      height: height)
  }

  /// The rows as their texts, `-` for the separator of days and nothing for empty ones.
  private func picture(_ view: HistoryView) -> String {
    view.shown.map { shown in
      let text = shown.row.plainText
      return text.hasPrefix("──") ? "-" : String(text.split(separator: " ").last ?? "")
    }.joined(separator: " ").trimmingCharacters(in: .whitespaces)
  }

  @Test func `the newest messages are at the bottom`() throws {
    var view = view(source(100))
    try view.jump(to: .newest)
    #expect(picture(view) == "96 97 98 99 100")
    #expect(view.isAtBottom && view.number == 100)
  }

  @Test func `a short history stands at the bottom under its day`() throws {
    var view = view(source(2))
    try view.jump(to: .newest)
    #expect(view.shown.count == 5 && picture(view) == "- 1 2")
  }

  @Test func `an empty history shows nothing`() throws {
    var view = view(source(0))
    try view.jump(to: .newest)
    try view.scroll(rows: -5)
    #expect(view.shown.count == 5 && picture(view) == "" && view.number == nil)
  }

  @Test func `a page is as high as the view and overlaps nothing`() throws {
    var view = view(source(100))
    try view.jump(to: .newest)
    try view.scroll(rows: -5)
    #expect(picture(view) == "91 92 93 94 95")
    try view.scroll(rows: -5)
    #expect(picture(view) == "86 87 88 89 90")
    try view.scroll(rows: 5)
    #expect(picture(view) == "91 92 93 94 95")
  }

  @Test func `scrolling goes by rows through high messages`() throws {
    var view = view(source(100, rows: 3))
    try view.jump(to: .newest)
    #expect(picture(view) == "+1 +2 100 +1 +2")
    try view.scroll(rows: -1)
    #expect(picture(view) == "99 +1 +2 100 +1")
    try view.scroll(rows: -1)
    #expect(picture(view) == "+2 99 +1 +2 100")
  }

  @Test func `the view stops at both ends`() throws {
    var view = view(source(100))
    try view.jump(to: .oldest)
    #expect(picture(view) == "- 1 2 3 4")
    try view.scroll(rows: -3)
    #expect(picture(view) == "- 1 2 3 4")
    try view.jump(to: .newest)
    try view.scroll(rows: -2)
    try view.scroll(rows: 100)
    #expect(picture(view) == "96 97 98 99 100" && view.isAtBottom)
  }

  @Test func `a jump puts what was asked for at the top`() throws {
    var view = view(source(3_000))
    try view.jump(to: .ordinal(499))
    #expect(picture(view) == "500 501 502 503 504")
    #expect(view.number == 500 && !view.isAtBottom)
    try view.jump(to: .ordinal(499), rowsAbove: 2)
    #expect(picture(view) == "498 499 500 501 502")
    try view.jump(to: .ordinal(2_998))
    #expect(picture(view) == "2996 2997 2998 2999 3000" && view.isAtBottom)
  }

  @Test func `days are parted wherever the view comes from`() throws {
    var view = view(source(3_000))
    try view.jump(to: .ordinal(1_442))
    try view.scroll(rows: -4)
    #expect(picture(view) == "1440 - 1441 1442 1443")
    try view.jump(to: .ordinal(1_440))
    #expect(picture(view) == "- 1441 1442 1443 1444")
  }

  @Test func `messages that come in move a view at the bottom and no other`() throws {
    let source = source(100)
    var view = view(source)
    try view.jump(to: .newest)
    source.append("101")
    try view.sourceChanged()
    #expect(picture(view) == "97 98 99 100 101")
    try view.scroll(rows: -5)
    source.append("102")
    try view.sourceChanged()
    #expect(picture(view) == "92 93 94 95 96")
    #expect(view.window.header.arrived == 1)
    try view.scroll(rows: 6)
    #expect(picture(view) == "98 99 100 101 102" && view.isAtBottom)
    source.append("103")
    try view.sourceChanged()
    #expect(picture(view) == "99 100 101 102 103")
  }

  @Test func `who does not see the end of the newest message is told of what comes in, and not moved`() throws
  {
    let source = source(20, rows: 9)
    var view = view(source)
    try view.jump(to: .newest)
    try view.scroll(rows: -2)
    #expect(picture(view) == "+2 +3 +4 +5 +6" && !view.isAtBottom)
    source.append("101")
    try view.sourceChanged()
    #expect(picture(view) == "+2 +3 +4 +5 +6" && view.window.header.arrived == 1)
  }

  @Test func `a read that fails leaves the reader where they were`() throws {
    let source = FaultySource(source(1_000))
    var view = HistoryView(
      of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt), height: 5,
      limits: try WindowLimits(messages: 60, pageSize: 10))
    try view.jump(to: .ordinal(499))
    source.fails.withLock { $0 = true }
    let before = picture(view)
    #expect(throws: StoreError.self) { try view.scroll(rows: -300) }
    #expect(picture(view) == before && view.number == 500)
    source.fails.withLock { $0 = false }
    try view.scroll(rows: -5)
    #expect(picture(view) == "495 496 497 498 499")
  }

  @Test func `a jump whose second page cannot be read leaves the reader where they were`() throws {
    // A screen shows a part of one of the newer messages, and thirty of the older ones: more than one page.
    let lines = Array(repeating: "line", count: 60).joined(separator: "\n")
    let source = FaultySource(
      ReferenceSource(
        source(400).messages.enumerated().map { index, message in
          Message(id: message.id, conversation: conversation, text: index < 200 ? message.text : lines)
        }))
    var view = HistoryView(
      of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt), height: 30,
      limits: try WindowLimits(messages: 60, pageSize: 2, prefetchDistance: 1))
    try view.jump(to: .ordinal(299))
    let (before, place) = (view.shown, view.window.position)
    source.pagesLeft.withLock { $0 = 1 }
    #expect(throws: StoreError.self) { try view.jump(to: .oldest) }
    #expect(view.shown.map(\.row) == before.map(\.row) && view.window.position == place)
    source.pagesLeft.withLock { $0 = nil }
    try view.scroll(rows: 1)
    #expect(view.shown.dropLast().map(\.row) == before.dropFirst().map(\.row))
  }

  @Test func `a quotation that could not be read is read when it is laid out again`() throws {
    let own = source(200)
    let first = try #require(own.messages.first)
    let last = try #require(own.messages.last)
    let answer = Message(
      id: Message.ID(time: last.id.placeTime.advanced(byMilliseconds: 60_000)), conversation: conversation,
      text: "answer", replyTo: first.id)
    let source = FaultySource(ReferenceSource(own.messages + [answer]))
    func shown(failing: Bool) throws -> [String] {
      var view = HistoryView(
        of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt), height: 5)
      source.pagesLeft.withLock { $0 = failing ? 1 : nil }
      try view.jump(to: .newest)
      source.pagesLeft.withLock { $0 = nil }
      try view.resize(LayoutSettings(columns: 50, zone: .gmt), height: 5)
      return view.shown.map(\.row.plainText)
    }
    #expect(try shown(failing: true) == shown(failing: false))
  }

  @Test func `a view that is told not to follow stays`() throws {
    let source = source(100)
    var view = view(source)
    try view.jump(to: .newest)
    view.follow(false)
    source.append("101")
    try view.sourceChanged()
    #expect(picture(view) == "96 97 98 99 100" && !view.isAtBottom)
  }

  @Test func `a first message that is deleted gives way to its neighbour`() throws {
    let source = source(100)
    var view = view(source)
    try view.jump(to: .ordinal(49))
    source.delete([source.messages[49].id])
    try view.sourceChanged()
    #expect(["49 51 52 53 54", "51 52 53 54 55"].contains(picture(view)))
  }

  @Test func `a resize keeps the place`() throws {
    var view = view(source(100))
    try view.jump(to: .ordinal(49))
    try view.resize(LayoutSettings(columns: 40, zone: .gmt), height: 3)
    #expect(picture(view) == "50 51 52")
    try view.jump(to: .newest)
    try view.resize(LayoutSettings(columns: 60, zone: .gmt), height: 4)
    #expect(picture(view) == "97 98 99 100")
  }

  @Test func `back returns to where a jump began`() throws {
    var view = view(source(1_000))
    try view.jump(to: .ordinal(499))
    try view.scroll(rows: 2)
    try view.jump(to: .oldest)
    #expect(try view.retrace(.older))
    #expect(picture(view) == "502 503 504 505 506")
    #expect(try view.retrace(.newer))
    #expect(picture(view) == "- 1 2 3 4")
    #expect(try !view.retrace(.newer))
  }

  @Test func `unread messages are parted from those read`() throws {
    let source = source(100)
    var view = view(source)
    view.unreadAfter = source.messages[97].id
    try view.jump(to: .newest)
    #expect(picture(view) == "97 98 - 99 100")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 10))
  func `any walk shows neighbouring rows of the whole history`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...400, using: &generator)
    let source = source(count, rows: 1 + Int(seed % 3))
    var view = HistoryView(
      of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt), height: 7,
      limits: try WindowLimits(messages: 60, pageSize: 10))
    var whole = HistoryView(
      of: Selection(conversation), in: source, settings: LayoutSettings(columns: 60, zone: .gmt),
      height: max(7, count * (1 + Int(seed % 3)) + 1))
    try whole.jump(to: .newest)
    let all = whole.shown.map(\.row)
    try view.jump(to: .newest)
    var place = all.count - 7
    #expect(view.shown.map(\.row) == Array(all[place...].prefix(7)))
    for _ in 0..<60 {
      let step = Int.random(in: -20...20, using: &generator)
      try view.scroll(rows: step)
      place = min(max(0, place + step), all.count - 7)
      #expect(view.shown.map(\.row) == Array(all[place...].prefix(7)), "at \(place) of \(all.count)")
    }
  }
}

/// A source that can be told to fail, at once or after so many pages.
private final class FaultySource: SynchronousMessageSource {
  let fails = Mutex(false)
  let pagesLeft = Mutex<Int?>(nil)
  private let source: ReferenceSource

  init(_ source: ReferenceSource) { self.source = source }

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    let isSpent = pagesLeft.withLock { left in
      defer { left = left.map { $0 - 1 } }
      return left.map { $0 <= 0 } ?? false
    }
    if isSpent || fails.withLock({ $0 }) { throw StoreError(.inputOutput, "cannot read messages") }
    return try source.page(request)
  }

  func changes() -> AsyncStream<Void> { source.changes() }
}
