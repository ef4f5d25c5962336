import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// The user's own messages, wherever unread messages are counted or looked for.
@Suite struct MeTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }
  private let room: Conversation.ID

  private static let phone = SenderKey(name: "Ada", externalID: "U1")
  private static let laptop = SenderKey(name: "ada-laptop")

  init() throws {
    temporary = try TemporaryStore()
    room = try temporary.store.makeConversation(named: "a").id
  }

  @discardableResult
  private func say(_ texts: String..., by sender: SenderKey) throws -> [Message.ID] {
    try store.append(texts.map { NewMessage($0, from: sender) }, to: room)
  }

  @discardableResult
  private func say(_ texts: String..., by name: String) throws -> [Message.ID] {
    try store.append(texts.map { NewMessage($0, from: name) }, to: room)
  }

  private func unread() throws -> Int {
    let conversation = try #require(try store.conversation(room))
    return try #require(try store.unreadCounts(of: [conversation]).first)
  }

  private func firstUnread(_ predicate: MessagePredicate = .everything) throws -> Message? {
    let request = PageRequest(
      Selection(room, where: predicate), anchor: .firstUnread, fetchLimit: 1, olderShare: 0)
    let page = try store.page(request)
    return page.messages.first { $0.id == page.resolution.message }
  }

  @Test func `what I wrote is neither unread nor the first unread message`() throws {
    try store.setMe([Self.phone])
    let ids = try say("hi", by: "ann")
    try store.markRead(room, upTo: ids[0])
    let own = try store.append([NewMessage("mine", from: Self.phone, sendingState: .waiting)], to: room)
    #expect(try unread() == 0 && store.readMark(of: room) == own[0])
    #expect(try firstUnread() == nil && store.firstUnread() == nil)
    try say("yes?", "well?", by: "ann")
    #expect(try unread() == 2 && firstUnread()?.text == "yes?")
    #expect(try store.firstUnread(in: room, after: ids[0]) == firstUnread()?.id)
    #expect(try firstUnread(.sender(store.me())) == nil)
    #expect(try store.timelineNews().everything.unread == 2)
  }

  @Test func `my other devices and names are me`() throws {
    try store.setMe([Self.phone, Self.laptop])
    try say("one", by: Self.phone)
    try say("two", by: Self.laptop)
    try say("three", by: SenderKey(name: "Ada L.", externalID: "U1"))
    try say("another Ada", by: "Ada")
    #expect(try unread() == 1 && firstUnread()?.text == "another Ada")
    #expect(try store.me().count == 3)
  }

  @Test func `another me is counted at once, and can be undone`() throws {
    try say("mine", by: Self.phone)
    try say("and Ann's", by: "ann")
    var state = ConversationListState()
    func change() throws -> ConversationListChange? {
      try store.reading("") { try state.update(in: $0, store.senderNames.own) }
    }
    #expect(try change()?.updated.map(\.unreadCount) == [2])
    let version = try store.version(of: Selection(room))
    try store.setMe([Self.phone])
    #expect(try store.version(of: Selection(room)) != version)
    #expect(try change()?.updated.map(\.unreadCount) == [1])
    #expect(try change() == nil)
    try store.setMe([Self.phone])
    #expect(try change() == nil, "nothing has changed")
    try store.setMe([SenderKey(name: "ann")])
    #expect(try store.people().map(\.name) == [Person.me] && firstUnread()?.text == "mine")
    try store.undoPeople()
    #expect(try unread() == 1 && firstUnread()?.text == "and Ann's")
    try store.setMe([])
    #expect(try unread() == 2 && store.me() == [])
  }

  @Test func `who is linked to me by hand is me, and an account has one person`() throws {
    try say("mine", by: Self.laptop)
    try store.linkAccounts([.name("ada-laptop")], to: "Me")
    #expect(try store.people().map(\.name) == [Person.me] && unread() == 0)
    try store.linkAccounts([.name("ann")], to: "Ann")
    let error = #expect(throws: StoreError.self) { try store.setMe([Self.laptop, SenderKey(name: "ann")]) }
    #expect(error?.kind == .alreadyExists && error?.summary == "cannot link 'ann' to 'me'")
    #expect(try store.me().count == 1)
  }

  @Test func `a transaction counts by its own me, and one that fails leaves none`() throws {
    try say("mine", by: Self.phone)
    struct Failure: Error {}
    try? store.write { transaction in
      try transaction.setMe([Self.phone])
      let conversation = try #require(try transaction.conversation(room))
      #expect(try transaction.unreadCounts(of: [conversation]) == [0])
      throw Failure()
    }
    #expect(try unread() == 1 && store.me() == [])
    try store.setMe([SenderKey(name: "ann")])
    #expect(try unread() == 1)
  }

  @Test func `replies of mine are not new in a thread`() throws {
    try store.setMe([Self.phone])
    let start = try say("tea?", by: "ann")[0]
    try store.markRead(room, upTo: start)
    try store.append([NewMessage("yes", from: "bob", replyTo: .message(start))], to: room)
    try store.append(
      [
        NewMessage("me too", from: Self.phone, replyTo: .message(start)),
        NewMessage("no", from: "bob", replyTo: .message(start)),
      ],
      to: room)
    let thread = try #require(try store.threads(in: .some([room]), limit: 1).threads.first)
    #expect(thread.answerCount == 3 && thread.unreadCount == 2)
    let counts = try store.answerCounts(of: [start], in: .some([room]), unreadAfter: start)
    #expect(counts?[start]?.total == 3 && counts?[start]?.unread == 2)
  }

  @Test func `the unread messages of a conversation begin at the first by others`() throws {
    func load(_ texts: [(String, String)], from start: Int) throws {
      var batch = ImportBatch()
      for (index, (sender, text)) in texts.enumerated() {
        batch.add(text, from: sender, at: minute(start + index), .millisecond, in: "tea")
      }
      try store.load([batch])
    }
    try store.setMe([SenderKey(name: "ada")])
    try load([("ann", "one"), ("ada", "two")], from: 0)
    let tea = try #require(try store.conversation(named: "tea"))
    try store.markRead(tea.id, upTo: try #require(tea.oldest))
    let details = try store.unread(of: [try #require(try store.conversation(tea.id))])
    #expect(details == [UnreadStretch(count: 0, readUpTo: tea.oldest, newerCount: 0)])
    try load([("ada", "three"), ("ann", "four"), ("ada", "five")], from: 2)
    let more = try store.unread(of: [try #require(try store.conversation(tea.id))])
    #expect(more.map(\.count) == [1] && more.map(\.newerCount) == [2])
    #expect(try more[0].readUpTo == store.readMark(of: tea.id))
  }

  @Test(arguments: 0..<UInt64(isLong ? 100 : 8)) func `counts are those of a naive list`(seed: UInt64) throws
  {
    var dice = Dice(seed: seed)
    let senders = [Self.phone, Self.laptop, SenderKey(name: "ann"), SenderKey(name: "bob"), nil]
    for _ in 0..<(isLong ? 60 : 25) {
      switch Int.random(in: 0...9, using: &dice) {
      case 0...5:
        // Whole blocks of one sender, too.
        let count = Int.random(in: 0...9, using: &dice) == 0 ? 1_500 : Int.random(in: 1...30, using: &dice)
        let sender = senders.randomElement(using: &dice) ?? nil
        let messages = (0..<count).map { number in
          sender.map { NewMessage("\(number)", from: $0) } ?? NewMessage("\(number)")
        }
        try store.append(messages, to: room)
      case 6:
        let mine = [Self.phone, Self.laptop].filter { _ in Bool.random(using: &dice) }
        try store.setMe(mine)
      case 7:
        let all = try store.messages(pageSize: 10_000)
        if let message = all.randomElement(using: &dice) { try store.markRead(room, upTo: message.id) }
      default:
        let all = try store.messages(pageSize: 10_000)
        if let message = all.randomElement(using: &dice) { _ = try store.delete([message.id]) }
      }
      let (own, stored) = (try store.me(), try store.conversation(room)?.readUpTo)
      let newer = try store.messages(pageSize: 10_000).filter { $0.id > stored ?? .lowest }
      let unread = newer.filter { message in message.sender.map { !own.contains($0.id) } ?? true }
      #expect(try self.unread() == unread.count)
      #expect(try firstUnread()?.id == unread.first?.id)
      #expect(try store.firstUnread() == unread.first?.id)
      let read = newer.last { message in unread.first.map { message.id < $0.id } ?? true }
      #expect(try store.readMark(of: room) == (read?.id ?? stored))
    }
    try temporary.expectTrueCounts()
  }

  @Test func `counting takes as long with many unread messages as with few`() throws {
    try store.setMe([Self.phone])
    func steps(_ count: Int) throws -> Int {
      try store.append(
        (0..<count).map { NewMessage("\($0)", from: $0 % 3 == 0 ? Self.phone : SenderKey(name: "ann")) },
        to: room)
      return try store.readingSteps { _ = try unread() }
    }
    let (few, many) = (try steps(2_000), try steps(isLong ? 400_000 : 30_000))
    #expect(many < few * 4, "\(many) hundred steps, and \(few)")
  }
}
