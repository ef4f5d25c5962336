import ChatSession
import Foundation
import HistoryQueries
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// A search that is typed finds what the same query finds in a command, whatever is in it.
struct TypedLanguageTests {
  private static let now = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 15, hour: 12))
  private static let words = [
    "cup of tea", "green tea", "black coffee", "c++ #channel .NET alice@example.org tea💡 kettle",
    "💡 ?! € OR NOT |", "wobbly apples https://example.org",
  ]

  /// A store in which each term finds something, as far as a store without imports can.
  private static func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture(count: 60, text: { "\(words[$0 % words.count]) \($0)" })
    let store = fixture.store
    let newest = try #require(try store.conversation(named: "general")?.newest)
    try store.star([newest])
    try store.saveFilter(named: "teatime", words: "tea", predicate: .matching("tea"))
    _ = try store.linkAccounts([.name("alice")], to: "ann")
    return fixture
  }

  private static func compiler(_ store: SynchronousMessageStore) -> QueryCompiler {
    QueryCompiler(store, now: now, clock: WallClock(zone: .gmt))
  }

  /// Returns what a query finds as a command has it; `nil` if it is refused.
  private static func found(_ query: String, in store: SynchronousMessageStore) -> Set<Message.ID>? {
    var compiler = compiler(store)
    guard let predicate = try? compiler.predicate(MessageQuery(query)) else { return nil }
    let selection = Selection.everything.narrowed(to: predicate)
    return (try? store.page(PageRequest(selection, anchor: .oldest, fetchLimit: 1_000))).map {
      Set($0.messages.map(\.id))
    }
  }

  // MARK: What the language has

  /// An example of each term; a term that is new has none yet, and does not compile.
  private static func example(of key: QueryTerm.Key, _ store: SynchronousMessageStore) throws -> String {
    switch key {
    case .from: return "from:alice"
    case .person: return "person:ann"
    case .in: return "in:general"
    case .since: return "since:may 2024"
    case .until: return "until:2024-05-03"
    case .before: return "before:2 weeks ago"
    case .after: return "after:2024-05-02"
    case .on: return "on:may 2"
    case .has: return "has:link"
    case .is: return "is:starred"
    case .file: return "file:invoice"
    case .kind: return "kind:said"
    case .thread:
      return "thread:\(try #require(try store.conversation(named: "general")?.newest))"
    case .regex: return "regex:wob+ly"
    case .filter: return "filter:teatime"
    case .project: return "project:tea"
    case .branch: return "branch:main"
    case .model: return "model:opus"
    case .tool: return "tool:Bash"
    case .matching: return "matching:\"green tea\""
    case .forwarded: return "forwarded:council"
    }
  }

  /// The code spans in the first column of a table of docs/queries.md.
  private static func spans(under heading: String) throws -> [String] {
    let file = GoldenFile.root.appending(path: "docs/queries.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    return rows.flatMap { row in
      let cell = row.replacing("\\|", with: "\u{1}").split(separator: "|")[0].replacing("\u{1}", with: "|")
      return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .compactMap { $0 % 2 == 1 ? String($1) : nil }
    }
  }

  /// Times as the docs and the errors show them.
  private static func times() throws -> [String] {
    let shown = TimeExpression.examples.components(separatedBy: ", ").map { $0.replacing("'", with: "") }
    return try (shown + spans(under: "Times")).filter { TimeExpression($0) != nil }
  }

  private static func queries(_ store: SynchronousMessageStore) throws -> [String] {
    let terms = try QueryTerm.Key.allCases.map { try example(of: $0, store) }
    let timed = try times().flatMap { time in
      QueryTerm.Key.allCases.filter(\.isTime).map { "\($0.rawValue):\(time)" }
    }
    let shown = try spans(under: "Words") + spans(under: "Terms").filter { !$0.hasPrefix("thread:") }
    func forms(_ term: String) -> [String] { [term, "tea \(term)", "-\(term) tea", "(tea OR \(term)) tea "] }
    // In the short form of the tests each time has one form, in turn.
    return terms.flatMap(forms) + timed.enumerated().flatMap { isLong ? forms($1) : [forms($1)[$0 % 4]] }
      + shown
  }

  @Test func `the docs show times and operators to be typed`() throws {
    #expect(try Self.times().count > 20)
    #expect(try Self.spans(under: "Words").count > 15)
    #expect(try Self.spans(under: "Terms").count > 20)
  }

  // MARK: Letter by letter

  @Test func `letter by letter, Enter finds all that the command finds`() throws {
    let fixture = try Self.fixture()
    for query in try Self.queries(fixture.store) {
      for end in query.indices.dropFirst().map(\.self) + [query.endIndex] {
        let typed = String(query[..<end])
        guard let wanted = Self.found(typed, in: fixture.store) else { continue }
        let meant = TypedQuery(typed, .ofQueries, fewestLetters: 3).entered
        #expect(
          Self.found(meant, in: fixture.store)?.isSuperset(of: wanted) == true, "'\(typed)' is '\(meant)'")
      }
    }
  }

  @Test func `a term or time at the end is shown while it is typed, and kept by Enter`() throws {
    let fixture = try Self.fixture()
    let terms = try QueryTerm.Key.allCases.map { try Self.example(of: $0, fixture.store) }
    let timed = try Self.times().map { "since:\($0)" } + Self.times().map { "on:\($0)" }
    // Alone, it takes all that follows.
    for query in (terms + timed).flatMap({ ["tea \($0)", $0] }) where !query.hasPrefix("regex:") {
      guard let wanted = Self.found(query, in: fixture.store), !wanted.isEmpty else { continue }
      var screen = try fixture.screen(rows: 8, columns: 120)
      let line = "/search \(query)"
      for end in line.indices.dropFirst().map(\.self) + [line.endIndex] {
        screen.finish(screen.handle(.typed(String(line[..<end]))))
      }
      #expect(screen.status.hasSuffix("'\(query)' 1 of \(wanted.count)"), "\(screen.status)")
      screen.finish(screen.handle(.line(line)))
      #expect(screen.status.hasSuffix("'\(query)' 1 of \(wanted.count)"), "\(screen.status)")
    }
  }

  @Test(arguments: ["tea since:may 2024", "tea since:3 weeks ago", "tea from:alice", "tea -from:bob"])
  func `views, lists and lines without a window find the same`(query: String) throws {
    let fixture = try Self.fixture()
    let count = try #require(Self.found(query, in: fixture.store)).count
    var view = try fixture.view(rows: 8, columns: 120)
    view.finish(view.handle(.typed("?\(query)")))
    #expect(view.status.contains("'\(query)'") && view.status.contains("1 of \(count)"), "\(view.status)")
    view.finish(view.handle(.search(query, .older)))
    #expect(view.status.contains("'\(query)'") && view.status.contains("1 of \(count)"), "\(view.status)")
    var list = try fixture.screen(rows: 20, columns: 120)
    list.finish(list.type("/hits"))
    list.finish(list.handle(.typed(query)))
    #expect(list.status.contains("1 of \(count) hits · '\(query)'"), "\(list.status)")
    var printer = try fixture.printer()
    printer.finish(printer.type("/search \(query)"))
    #expect(!printer.printed().split(separator: "\n").contains { $0.hasPrefix("! ") }, "no complaint")
  }

  @Test func `a term that makes no sense yet leaves what stands before it`() throws {
    var screen = try Self.fixture().screen(rows: 8, columns: 120)
    for unfinished in ["tea from:al", "tea since:3 weeks", "tea from:\"al", "tea kind:sa"] {
      screen.finish(screen.handle(.typed("/search \(unfinished)")))
      #expect(screen.status.hasSuffix("'tea' 1 of 30"), "\(unfinished): \(screen.status)")
    }
  }
}
