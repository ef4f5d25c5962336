import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct MessageChangesTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    room = try temporary.store.makeConversation(named: "general").id
  }

  /// A version of the store, and the revisions of all that it held.
  private struct Copy {
    var version: SourceVersion
    var revisions: [Message.ID: Int]
    /// What each message came with.
    var identities: [Message.ID: Message.ID]

    /// The id of a message, wherever it is; `nil` if it is gone.
    func id(of identity: Message.ID) -> Message.ID? { identities.first { $0.value == identity }?.key }
  }

  private func copy() throws -> Copy {
    let messages = try store.messages(pageSize: 500)
    return Copy(
      version: try store.version(of: .everything),
      revisions: Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.revision) }),
      identities: Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.identity) }))
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 4))
  func `what is told since any earlier version is what has happened`(seed: UInt64) throws {
    var walk = try ChangeWalk(store, seed: seed)
    var dice = Dice(seed: seed &+ 1_000)
    var copies = [try copy()]
    for step in 1...300 {
      try walk.step()
      if step % 10 == 0 { copies.append(try copy()) }
      let then = copies[Int(dice.next() % UInt64(copies.count))]
      let now = step % 10 == 0 ? copies[copies.count - 1] : try copy()
      let told = try store.changes(since: then.version)
      #expect(!told.isEverything && told.version == now.version)
      let (before, after) = (Set(then.revisions.keys), Set(now.revisions.keys))
      #expect(told.inserted == after.subtracting(before).sorted())
      #expect(
        Set(told.deleted).isSuperset(of: before.subtracting(after)) && after.isDisjoint(with: told.deleted))
      let changed = before.intersection(after).filter { then.revisions[$0] != now.revisions[$0] }
      #expect(Set(told.edited).isSuperset(of: changed))
      #expect(before.intersection(after).isSuperset(of: told.edited))
      let left = before.subtracting(after).compactMap { id in
        then.identities[id].flatMap { now.id(of: $0) }.map { (id, $0) }
      }
      for (id, place) in left { #expect(told.moved[id] == place) }
      #expect(told.moved.keys.allSatisfy { told.deleted.contains($0) })
      #expect(told.moved.values.allSatisfy { after.contains($0) })
    }
  }

  @Test func `what has come and gone since is told as deleted, for whoever has read it meanwhile`() throws {
    let version = try store.version(of: .everything)
    let ids = try store.append([NewMessage("a"), NewMessage("b")], to: room)
    _ = try store.delete([ids[0]])
    let told = try store.changes(since: version)
    #expect(told.inserted == [ids[1]] && told.deleted == [ids[0]])
  }

  @Test func `only the conversations asked for are told of`() throws {
    let other = try store.makeConversation(named: "other").id
    let version = try store.version(of: .everything)
    let ids = try store.append([NewMessage("a")], to: room)
    let others = try store.append([NewMessage("b")], to: other)
    try store.renameConversation(other, to: "another")
    var told = try store.changes(since: version, in: .some([room]))
    #expect(told.inserted == ids && told.conversations == [room])
    told = try store.changes(since: version, in: .some([other]))
    #expect(told.inserted == others && told.conversations == [other])
    #expect(try store.changes(since: told.version).isEmpty)
  }

  @Test func `after a load, too many steps or a version that is none of its own, everything is told`() throws
  {
    let start = try store.version(of: .everything)
    try store.append((0..<30).map { NewMessage("\($0)") }, to: room)
    #expect(try store.changes(since: start, limit: 30).inserted.count == 30)
    let version = try store.version(of: .everything)
    #expect(try store.changes(since: start, limit: 29) == MessageChanges(to: version, isEverything: true))
    var strange = try store.version(of: .everything)
    strange.inserted += 1
    #expect(try store.changes(since: strange).isEverything)
    // As many steps, of other kinds.
    #expect(try !store.changes(since: SourceVersion()).isEverything)
    #expect(try store.changes(since: SourceVersion(inserted: 5)).isEverything)
    #expect(try store.changes(since: SourceVersion(inserted: -1, deleted: .max, changed: .min)).isEverything)

    let before = try store.version(of: .everything)
    let load = try BulkImport(into: store, BulkImport.Description(name: "x", format: "test", zone: "UTC"))
    var batch = ImportBatch()
    batch.add("imported", at: minute(1))
    try load.add(batch)
    _ = try load.finish()
    #expect(try store.changes(since: before).isEverything)
    let after = try store.changes(since: before).version
    let ids = try store.append([NewMessage("later")], to: room)
    #expect(try store.changes(since: after).inserted == ids)
  }

  @Test func `of long ago nothing is told but everything, and the log stays small`() throws {
    let start = try store.version(of: .everything)
    for _ in 0..<20 { try store.append((0..<1_000).map { NewMessage("\($0)") }, to: room) }
    #expect(try store.changes(since: start, limit: .max).isEverything)
    let version = try store.version(of: .everything)
    let recent = SourceVersion(inserted: version.inserted - 16_000, changed: version.changed)
    #expect(try store.changes(since: recent, limit: .max).inserted.count == 16_000)
  }

  @Test func `a feed gives the list of conversations and then what is different in it`() async throws {
    let awaited = MessageStore(store)
    let other = try temporary.another()
    let quiet = try store.makeConversation(named: "quiet").id
    var feed = awaited.conversationFeed().makeAsyncIterator()
    let first = try await next(of: &feed)
    #expect(first.isWhole && first.updated.map(\.conversation.name) == ["general", "quiet"])

    let ids = try other.append((0..<5).map { NewMessage("\($0)") }, to: room)
    var change = try await next(of: &feed)
    #expect(!change.isWhole && change.updated.map(\.id) == [room] && change.removed.isEmpty)
    #expect(change.updated[0].unreadCount == 5 && change.updated[0].conversation.newest == ids.last)

    // No message has changed by that, and no counter.
    try other.markRead(room, upTo: ids[2])
    change = try await next(of: &feed)
    #expect(change.updated.map(\.unreadCount) == [2])
    let positions = positions(ids[4])
    try await awaited.write { try $0.markRead(positions) }
    change = try await next(of: &feed)
    #expect(change.updated.map(\.unreadCount) == [0])

    try other.renameConversation(quiet, to: "loud")
    change = try await next(of: &feed)
    #expect(change.updated.map(\.conversation.name) == ["loud"])
    for payload in [[1], nil] as [[UInt8]?] {
      try await awaited.write { try $0.setPayload(payload, of: quiet) }
      change = try await next(of: &feed)
      #expect(!change.isWhole && change.updated.map(\.id) == [quiet])
    }
    try await awaited.deleteConversation(quiet)
    var gone: [Conversation.ID] = []
    while gone.isEmpty, let change = try await feed.next() { gone += change.removed }
    #expect(gone == [quiet])
    other.close()
    await awaited.close()
    #expect(try await feed.next() == nil)
  }

  private func next(
    of feed: inout some AsyncIteratorProtocol<ConversationListChange, any Error>
  ) async throws -> ConversationListChange {
    let change = try await feed.next()
    return try #require(change)
  }

  private func positions(_ id: Message.ID) -> ReadPositions {
    var positions = ReadPositions()
    positions.note(id, in: room)
    return positions
  }
}

/// Does at random what can be told of message by message.
private struct ChangeWalk {
  private let store: SynchronousMessageStore
  private var dice: Dice
  private var rooms: [Conversation.ID]
  private var ids: [Message.ID] = []
  private var deleted: [DeletedMessages] = []
  private var number = 0

  init(_ store: SynchronousMessageStore, seed: UInt64) throws {
    self.store = store
    dice = Dice(seed: seed)
    rooms = try store.conversations().map(\.id)
  }

  mutating func step() throws {
    number += 1
    let room = rooms[draw(rooms.count)]
    switch draw(23) {
    case 20...22:
      if let id = pick() {
        let place = pick().map { draw(2) == 0 ? $0.successor : Message.ID(time: $0.placeTime) } ?? id
        let now = try store.move(id, to: place)
        ids = ids.map { $0 == id ? now : $0 }
      }
    case 0..<8: ids += try store.append((0...draw(3)).map { NewMessage("\(number) \($0)") }, to: room)
    case 8..<11: if let id = pick() { try store.edit(id, text: "\(number)") }
    case 11: if let id = pick() { try store.edit(id, text: String(repeating: "\(number) ", count: 3_000)) }
    case 12..<14: if let id = pick() { try store.react("+1", to: id, by: "\(number)") }
    case 14..<17:
      if let id = pick() {
        deleted.append(try store.delete([id]))
        ids.removeAll { $0 == id }
      }
    case 17:
      if let last = deleted.popLast() {
        try store.restore(last)
        ids += last.ids
      }
    case 18: rooms.append(try store.makeConversation(named: "room \(number)").id)
    default: try store.renameConversation(room, to: "renamed \(number)")
    }
  }

  private mutating func draw(_ bound: Int) -> Int { Int(dice.next() % UInt64(bound)) }

  private mutating func pick() -> Message.ID? { ids.isEmpty ? nil : ids[draw(ids.count)] }
}
