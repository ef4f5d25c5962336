import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// A session walks over everything, people and conversations, while others write, link and undo.
struct TimelineWalkTests {
  private static let names = ["ann", "ann_", "bob", "carol", "dave"]

  @Test(arguments: UInt64(0)..<(isLong ? 16 : 6))
  func `any walk shows a run of what is selected, numbered, whoever is linked meanwhile`(seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed)
    let fixture = try StoreFixture(
      count: 120, sender: { Self.names[$0 * $0 % 5] }, text: { "message \($0)" })
    var walk = try TimelineWalk(fixture, rows: Int.random(in: 6...24, using: &generator))
    for _ in 0..<80 {
      try walk.step(&generator)
      try walk.check("seed \(seed)")
    }
  }

  /// The walk: a screen, and what is known of the store besides it.
  private struct TimelineWalk {
    let fixture: StoreFixture
    var screen: StoreFixture.Screen
    var conversations: [Conversation.ID]
    var log: [String] = []

    init(_ fixture: StoreFixture, rows: Int) throws {
      self.fixture = fixture
      screen = try fixture.screen(rows: rows, columns: 100)
      screen.session.lookUps.person.interval = .zero
      conversations = [try fixture.context().conversation.id, try fixture.random()]
      // Of the last one nobody has said whether it is direct.
      for name in ["ann", "bob", "ann_"] {
        let isDirect = name == "ann_" ? nil : true
        let direct = try fixture.store.makeConversation(named: name, isDirect: isDirect).id
        conversations.append(direct)
        let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 2, hour: 12, minute: 1))
        _ = try fixture.store.append(
          (0..<20).map {
            NewMessage(
              "to \(name) \($0)", from: $0.isMultiple(of: 3) ? name : "carol",
              at: start.advanced(byMilliseconds: Int64($0) * 5_000_000))
          }, to: direct)
      }
    }

    mutating func step(_ generator: inout SeededGenerator) throws {
      let choice = Int.random(in: 0..<24, using: &generator)
      let name = TimelineWalkTests.names.randomElement(using: &generator) ?? ""
      log.append("\(choice) \(name)")
      switch choice {
      case 0, 1: type("/open *")
      case 2, 3: type("/open @p")
      case 4: type("/open general")
      case 5: type("/set person \(Bool.random(using: &generator) ? "direct" : "all")")
      case 6: type("/filter from:\(name)")
      case 7, 8: type("/filter")
      case 9: type("/goto \(Int.random(in: 1...200, using: &generator))")
      case 10: type("/back")
      case 11: type("/open a")
      case 12:
        let person = ["p", "q", Person.me].randomElement(using: &generator) ?? "p"
        _ = try? fixture.store.linkAccounts([.name(person == Person.me ? "carol" : name)], to: person)
      case 13: _ = try? fixture.store.unlinkAccounts([.name(name)])
      case 14: _ = try? fixture.store.undoPeople()
      case 15, 16:
        let conversation = try #require(conversations.randomElement(using: &generator))
        _ = try fixture.store.append("new", from: name, replyTo: nil, to: conversation)
      case 17:
        let conversation = try #require(conversations.randomElement(using: &generator))
        try fixture.store.renameConversation(conversation, to: "room\(log.count)")
      case 18:
        let person = try fixture.store.people().randomElement(using: &generator)
        if let person { _ = try? fixture.store.renamePerson(person.id, to: "p\(log.count)") }
      default:
        let keys: [ReplKey] = [.pageOlder, .pageNewer, .rowOlder, .rowsNewer, .oldest, .newest, .halfOlder]
        screen.finish(screen.handle(.key(keys.randomElement(using: &generator) ?? .pageOlder)))
      }
      // Changes are told once those before them have been read.
      for _ in 0..<2 { screen.finish(screen.handle(.storeChanged)) }
    }

    private mutating func type(_ line: String) { screen.finish(screen.type(line)) }

    /// The messages that are meant, oldest first: a naive look at all there are.
    private func expected() throws -> [Message] {
      let context = screen.session.context
      let all = try fixture.store.page(PageRequest(.everything, fetchLimit: 10_000)).messages
      let shown: [Message]
      switch context.timeline {
      case .conversation(let conversation): shown = all.filter { $0.conversation == conversation.id }
      case .everything: shown = all
      case .person(let person):
        let people = try fixture.store.people()
        let accounts = people.first { $0.id == person.id }?.accounts.map(\.name) ?? []
        let direct = try fixture.store.conversations().filter { conversation in
          let senders = Set(all.filter { $0.conversation == conversation.id }.map { $0.sender?.name ?? "" })
          let owners = Set(
            senders.map { name in people.first { $0.accounts.contains { $0.name == name } }?.name })
          let isBetweenTwo = owners.count == 2 && owners.contains(Person.me) && !owners.contains(nil)
          return !senders.isDisjoint(with: accounts) && conversation.isDirect ?? isBetweenTwo
        }.map(\.id)
        shown = all.filter { message in
          direct.contains(message.conversation)
            || context.personExtent == .all && accounts.contains(message.sender?.name ?? "")
        }
      }
      return context.filter.map { filter in shown.filter { filter.predicate.holds(for: $0) } } ?? shown
    }

    func check(_ name: String) throws {
      let wanted = try expected().map(\.id)
      let view = screen.session.reader.view
      let trace = "\(name): \(log.suffix(12)), \(screen.session.context.timeline.name)"
      let visible = view.visible
      #expect(view.window.isEmpty == wanted.isEmpty, "\(trace)")
      guard let first = visible.first else { return }
      let start = try #require(wanted.firstIndex(of: first), "\(trace)")
      #expect(visible == Array(wanted[start...].prefix(visible.count)), "\(trace)")
      #expect(view.window.header.total == wanted.count && view.window.header.isExact, "\(trace)")
      let current = try #require(view.current)
      #expect(view.number == wanted.firstIndex(of: current.id).map { $0 + 1 }, "\(trace)")
      // Each row has the name of its conversation where several are shown, and the person's who wrote it.
      let people = try fixture.store.people()
      for row in view.shown {
        guard let message = row.begins.flatMap({ view.window.message($0) }) else { continue }
        let person = people.first { $0.senders.contains(message.sender?.id ?? Sender.ID(rawValue: -1)) }
        let written = message.sender?.name ?? ""
        let sender = person.map { $0.name == Person.me ? written : $0.name } ?? written
        let conversation = try fixture.store.conversationName(message.conversation) ?? ""
        let words = row.row.plainText.split(separator: " ").dropFirst()
        let names = screen.session.context.openConversation == nil ? [conversation, sender] : [sender]
        #expect(Array(words.prefix(names.count)).map(String.init) == names, "\(trace)")
      }
    }
  }
}
