import ChatSession
import MessageModel
import MessageStorage
import TerminalText
import Testing

/// A filter that lets little through: what it does is looked for while the reader goes on.
struct RareFilterTests {
  /// 400 messages, some of rare, of which a read looks at 20 at most.
  private func screen(rare: [Int]) throws -> Screen {
    try Screen(
      StoreFixture(
        count: 400, minutesApart: 1, sender: { rare.contains($0) ? "rare" : "often" },
        text: { "message \($0)" }))
  }

  /// A store that looks for what a filter lets through among the next 20 messages alone, and says so.
  private struct ShortSighted: SynchronousMessageSource {
    let store: SynchronousMessageStore
    private static let reach = 20

    func page(_ request: PageRequest) throws(StoreError) -> Page {
      guard request.selection.predicate != .everything else { return try store.page(request) }
      let edge: Message.ID
      switch request.anchor {
      case .before(let id): edge = id
      case .newest: edge = .highest
      default: return try store.page(request)
      }
      var all = request.selection
      all.predicate = .everything
      let looked = try store.page(
        PageRequest(all, anchor: .before(edge), fetchLimit: Self.reach, wantsCounts: false))
      let end = looked.messages.first?.id ?? .lowest
      var page = try store.page(
        PageRequest(request.selection, anchor: .before(edge), fetchLimit: request.fetchLimit))
      page.messages.removeAll { $0.id < end }
      let isWhole = page.messages.count == request.fetchLimit || !looked.hasOlder
      if !isWhole { (page.hasOlder, page.nextAnchor) = (true, .before(end)) }
      return page
    }

    func changes() -> AsyncStream<Void> { store.changes() }
  }

  private struct Screen {
    let fixture: StoreFixture
    var session: Session<ScreenReader>

    init(_ fixture: StoreFixture) throws {
      self.fixture = fixture
      session = try Session(try fixture.context(), rows: 8, columns: 80)
      let view = session.reader.view
      session.reader.view = HistoryView(
        of: view.window.selection, in: ShortSighted(store: fixture.store), settings: view.settings,
        height: view.height)
      try session.reader.view.jump(to: .newest)
    }

    /// The numbers of the messages in view.
    var shown: [String] {
      session.reader.view.shown.map(\.row.plainText).filter { $0.contains("message") }
        .map { String($0.split(separator: " ").last ?? "") }
    }

    mutating func status() -> String { session.screen().rows.last?.plainText ?? "" }

    /// Does the reading that is asked for elsewhere, page by page, and returns how many there were.
    mutating func finish(_ effects: Effects) -> Int {
      effects.jobs.filter { $0.lane == .pages }.flatMap { $0.reports() }.reduce(0) { count, report in
        count + 1 + finish(session.handle(.reported(report)))
      }
    }
  }

  @Test func `what was found so far is shown, and more as it is found`() throws {
    var screen = try screen(rare: [10, 395])
    let effects = screen.session.handle(.line("/filter from:rare"))
    #expect(screen.shown == ["395"] && screen.status().contains("looking … Ctrl-C stops"))
    #expect(screen.finish(effects) > 15)
    #expect(screen.shown == ["10", "395"] && !screen.status().contains("looking"))
  }

  @Test func `nothing is said not to be there before all of it was looked at`() throws {
    var screen = try screen(rare: [10])
    let effects = screen.session.handle(.line("/filter from:rare"))
    #expect(screen.shown.isEmpty && !screen.status().contains("no such messages"))
    _ = screen.finish(effects)
    #expect(screen.shown == ["10"])
  }

  @Test func `Ctrl-C stops looking, and what comes late changes nothing`() throws {
    var screen = try screen(rare: [10, 395])
    let effects = screen.session.handle(.line("/filter from:rare"))
    _ = screen.session.handle(.interrupted)
    #expect(screen.status().hasPrefix(" stopped"))
    #expect(screen.finish(effects) == 1 && screen.shown == ["395"])
    _ = screen.session.handle(.line("/filter"))
    #expect(screen.shown.contains("395") && screen.shown.count == 6)
  }

  @Test func `a page up is finished when its messages have been found`() throws {
    var screen = try screen(rare: Array(1...9) + Array(380...400))
    let effects = screen.session.handle(.line("/filter from:rare"))
    for _ in 1...3 { _ = screen.session.handle(.key(.pageOlder)) }
    #expect(screen.shown.first == "381" && screen.status().contains("looking"))
    #expect(screen.finish(effects) > 15)
    #expect(screen.shown.first == "7" && screen.shown.last == "382", "\(screen.shown)")
  }

  @Test func `a key in another direction gives up what was waited for`() throws {
    var screen = try screen(rare: Array(1...9) + Array(380...400))
    let effects = screen.session.handle(.line("/filter from:rare"))
    for _ in 1...3 { _ = screen.session.handle(.key(.pageOlder)) }
    _ = screen.session.handle(.key(.rowNewer))
    let before = screen.shown
    _ = screen.finish(effects)
    #expect(screen.shown == before)
  }
}
