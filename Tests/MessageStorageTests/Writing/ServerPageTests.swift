import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// A page of a server is written in one call, and what it says again updates what is here.
@Suite struct ServerPageTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore(clock: minute(100_000))
    room = try temporary.store.makeConversation(named: "tea").id
  }

  private func message(
    _ number: Int, _ text: String? = nil, replyTo: Int? = nil, thread: Int? = nil
  ) -> NewMessage {
    NewMessage(
      text ?? "\(number)", from: SenderKey(name: "ann", externalID: "U1"), at: minute(number),
      replyTo: replyTo.map { .external("$\($0)") }, thread: thread.map { .external("$\($0)") },
      source: Message.Source(platform: "acme", id: "$\(number)"))
  }

  private func present(_ number: Int) throws -> Message? {
    try store.messageID(platform: "acme", id: "$\(number)").flatMap { try store.message($0) }
  }

  /// A call that writes few messages and one that writes many take different ways.
  private static let paddings = [0, 40]

  private func padded(_ messages: [NewMessage], _ count: Int) -> [NewMessage] {
    messages + (0..<count).map { message(1_000 + $0) }
  }

  @Test(arguments: paddings)
  func `replies and threads of a page lead to messages of the page, in either order`(
    padding: Int
  ) throws {
    let page = [message(1, replyTo: 3), message(2, replyTo: 1), message(3, thread: 1)]
    let ids = try store.append(padded(page, padding), to: room)
    #expect(
      try present(1)?.replyTo == ids[2] && present(2)?.replyTo == ids[0] && present(3)?.thread == ids[0])
    #expect(try present(1)?.awaitedReply == nil)
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test(arguments: paddings) func `a deletion in a page is written, and removes the contents of what is here`(
    padding: Int
  ) throws {
    let here = try store.append([message(1, "harbour"), message(2, replyTo: 1)], to: room)
    let deletion = Message.Deletion(at: minute(9), by: SenderKey(name: "bob", externalID: "U2"))
    let page = [1, 3].map { number in
      var message = message(number, "harbour", replyTo: number == 3 ? 2 : nil)
      message.deletion = deletion
      message.reactions = [Message.Reaction(emoji: "👍", senders: ["bob"])]
      message.payload = [1]
      return message
    }
    try store.setGap(in: room)
    let ids = try store.fillGap(MessageGap(in: room), .all, with: padded(page, padding))
    #expect(try ids[0] == here[0] && present(2)?.replyTo == here[0] && present(3)?.replyTo == here[1])
    for message in [try present(1), try present(3)] {
      #expect(message?.deletion == deletion && message?.text == "" && message?.reactions == [])
      #expect(message?.sender?.name == "ann" && message?.payload == nil)
    }
    #expect(try store.hitCount(.matching("harbour")) == 0)
    // An earlier state that comes late, and the same page again.
    let revision = try present(3)?.revision
    try store.append(padded([message(1, "harbour"), message(3, "harbour")] + page, padding), to: room)
    #expect(try present(3)?.text == "" && present(3)?.revision == revision)
    // What was deleted here stays deleted.
    try store.delete([ids[1]])
    try store.append(page, to: room)
    #expect(try present(3) == nil)
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test(arguments: paddings) func `a reply to what is not here says so, and leads to it when it comes`(
    padding: Int
  ) throws {
    try store.append(padded([message(50, replyTo: 7), message(51, replyTo: 8)], padding), to: room)
    #expect(try present(50)?.awaitedReply == "$7" && present(50)?.replyTo == nil)
    let replies = Selection(room, where: .has(.reply))
    #expect(try store.page(PageRequest(replies)).messages.map(\.text) == ["50", "51"])
    let version = try store.version(of: .everything)
    let seven = try store.append([message(7)], to: room)[0]
    #expect(try present(50)?.replyTo == seven && present(50)?.awaitedReply == nil)
    #expect(try store.changes(since: version).edited == [try #require(try present(50)).id])
    var batch = ImportBatch()
    var details = ImportDetails()
    details.source = Message.Source(platform: "acme", id: "$8")
    batch.add("of an export", at: minute(8), .millisecond, in: "tea", details: details)
    try store.load([batch])
    #expect(try present(51)?.replyTo == present(8)?.id)
    #expect(try store.check().problems == [])
  }

  @Test(arguments: paddings) func `a page says all that an import says`(padding: Int) throws {
    var rich = message(5, "tea at five")
    rich.editedAt = minute(9)
    rich.edits = [Message.Edit(time: minute(9), text: "tea at four")]
    rich.reactions = [
      Message.Reaction(emoji: "+", senders: ["bo", "bo"], senderIDs: ["U2", "U3"]),
      Message.Reaction(emoji: "-", senders: ["cy"]),
    ]
    rich.attachments = [Message.Attachment(name: "cup.jpg", mediaType: "image/jpeg", byteCount: 40_960)]
    rich.forward = Message.Forward(author: "dee", chat: "kitchen")
    rich.starredAt = minute(10)
    rich.payload = [1, 2]
    rich.kind = .notice
    let version = try store.version(of: .everything)
    let ids = try store.append(padded([rich], padding), to: room)
    #expect(try store.changes(since: version).edited == [])
    let record = try #require(try store.records(of: ids[...0]).records.first)
    #expect(record.message.reactions == rich.reactions && record.message.forward == rich.forward)
    #expect(record.message.attachments == rich.attachments && record.message.kind == .notice)
    #expect(record.message.isEdited && record.edits == rich.edits && record.editedAt == minute(9))
    #expect(record.message.starredAt == minute(10) && record.message.revision == 0)
    #expect(try store.payload(of: ids[0]) == [1, 2])
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test(arguments: paddings) func `what a page repeats is recognised and updated, and never doubled`(
    padding: Int
  ) throws {
    var first = message(1, "tea at four")
    first.reactions = [Message.Reaction(emoji: "+", senders: ["bo"], senderIDs: ["U2"])]
    let ids = try store.append(padded([first, message(2)], padding), to: room)
    let count = try store.messages(pageSize: 500).count
    let version = try store.version(of: .everything)
    try store.append(padded([first, message(2)], padding), to: room)
    #expect(try store.version(of: .everything) == version, "the same page again changes nothing")
    var later = first
    later.text = "tea at five"
    later.editedAt = minute(9)
    later.reactions.append(Message.Reaction(emoji: "-", senders: ["bo"], senderIDs: ["U3"]))
    later.attachments = [Message.Attachment(name: "cup.jpg")]
    #expect(
      try store.append(padded([later, message(2)], padding), to: room)
        == store.append(
          padded([later, message(2)], padding), to: room))
    let message = try #require(try store.message(ids[0]))
    #expect(message.text == "tea at five" && message.isEdited && message.reactions == later.reactions)
    #expect(message.attachments == later.attachments && message.revision == 1)
    #expect(try store.edits(of: ids[0]) == [Message.Edit(time: minute(9), text: "tea at four")])
    #expect(try store.messages(pageSize: 500).count == count)
    #expect(try store.changes(since: version).edited == [ids[0]])
    // A page that was on its way for long.
    try store.append(padded([first], padding), to: room)
    #expect(try store.message(ids[0]) == message)
    #expect(try store.texts(Selection(.all, where: .matching("four"))) == [])
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test func `all reactions of a server take the place of those here, also none`() throws {
    var page = message(1)
    page.reactions = [Message.Reaction(emoji: "+", senders: ["bo"], senderIDs: ["U2"])]
    let id = try store.append([page], to: room)[0]
    try store.react("-", to: id, by: SenderKey(name: "me", externalID: "U0"))
    try store.append([page], to: room)
    #expect(try store.message(id)?.reactions.map(\.emoji) == ["+", "-"])
    page.hasAllReactions = true
    try store.append([page], to: room)
    #expect(try store.message(id)?.reactions == page.reactions)
    page.reactions = []
    try store.append([page], to: room)
    #expect(try store.message(id)?.reactions == [])
    #expect(try store.check().problems == [])
  }

  @Test func `a sending state only advances, and data is replaced`() throws {
    var mine = message(1)
    (mine.sendingState, mine.payload) = (.sent, [1])
    let id = try store.append([mine], to: room)[0]
    (mine.sendingState, mine.payload) = (.waiting, nil)
    try store.append([mine], to: room)
    #expect(try store.message(id)?.sendingState == .sent && store.payload(of: id) == [1])
    (mine.sendingState, mine.payload) = (.read, [2])
    try store.append([mine], to: room)
    #expect(try store.message(id)?.sendingState == .read && store.payload(of: id) == [2])
  }

  @Test func `edits of a server may come in any order`() throws {
    let orders = [[1, 2, 3], [3, 1, 2], [2, 3, 1], [1, 3, 2], [3, 2, 1, 1]]
    for (number, order) in orders.enumerated() {
      let id = try store.append([message(number, "0")], to: room)[0]
      for edit in order { try store.edit(id, text: edit == 2 ? "2" : "odd", at: minute(edit)) }
      #expect(try store.message(id)?.text == "odd" && store.message(id)?.isEdited == true, "\(order)")
      // The same, as a page has it.
      var page = message(number, "2")
      page.editedAt = minute(2)
      try store.append([page], to: room)
      #expect(try store.message(id)?.text == "odd", "\(order)")
    }
    #expect(try store.check().problems == [])
  }

  @Test func `a deleted message stays deleted, whatever a page says`() throws {
    let id = try store.append([message(1)], to: room)[0]
    try store.delete([id])
    var page = message(1, "again")
    page.editedAt = minute(9)
    page.reactions = [Message.Reaction(emoji: "+", senders: ["bo"])]
    #expect(try store.append([page, message(2, replyTo: 1)], to: room)[0] == id)
    #expect(try store.texts() == ["2"])
    #expect(try store.check().problems == [])
  }

  @Test func `a reference by a platform's id needs a platform`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.append([NewMessage("yes", replyTo: .external("$1"))], to: room)
    }
    #expect(error?.kind == .invalidRequest)
    #expect(try store.texts() == [])
  }

  /// A history by pages, from the newest back, beside one bulk load of the same.
  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5)) func `pages in any order make what one import makes`(
    seed: UInt64
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let history = (0..<200).map { number in
      var message = message(
        number, replyTo: Bool.random(using: &dice) ? Int.random(in: 0..<200, using: &dice) : nil,
        thread: number % 5 == 0 ? Int.random(in: 0..<200, using: &dice) : nil)
      if number % 3 == 0 { message.reactions = [Message.Reaction(emoji: "+", senders: ["bo"])] }
      if number % 7 == 0 { message.editedAt = minute(number + 1) }
      return message
    }
    let imported = try TemporaryStore()
    var batch = ImportBatch()
    for message in history {
      var details = ImportDetails()
      details.message = message.details
      batch.add(
        message.text, from: "ann", at: message.time ?? minute(0), .millisecond, in: "tea", details: details)
    }
    try imported.store.load([batch])
    var pages = stride(from: 0, to: 200, by: 20).map { Array(history[$0..<$0 + 20]) }
    pages += pages.prefix(3)
    pages.shuffle(using: &dice)
    for page in pages { try store.append(page, to: room) }
    let expected = try imported.store.messages(pageSize: 500)
    let names = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0.text) })
    let ours = try store.messages(pageSize: 500)
    let ourNames = Dictionary(uniqueKeysWithValues: ours.map { ($0.id, $0.text) })
    func picture(_ message: Message, _ names: [Message.ID: String]) -> String {
      let (reply, thread) = (message.replyTo.flatMap { names[$0] }, message.thread.flatMap { names[$0] })
      return "\(message.text) > \(reply ?? "-") # \(thread ?? "-") \(message.reactions) \(message.isEdited)"
    }
    #expect(ours.map { picture($0, ourNames) } == expected.map { picture($0, names) })
    #expect(try store.check().problems == [])
    try temporary.expectTrueCounts()
  }
}
