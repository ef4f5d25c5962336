import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Random walks over links, renames and undoing, with what a dictionary says of them.
@Suite struct PeopleWalkTests {
  /// What is whose, kept naively: a copy of everything after each change.
  private struct Model: Equatable {
    /// Ids of people by account.
    var owners: [SenderAccount: Person.ID] = [:]
    var names: [Person.ID: String] = [:]

    func id(_ name: String) -> Person.ID? { names.first { $0.value.lowercased() == name.lowercased() }?.key }
  }

  private final class Walk {
    var dice: Dice
    let temporary: TemporaryStore
    var store: SynchronousMessageStore { temporary.store }
    var model = Model()
    /// What each entry that stands has changed: before and after.
    var standing: [(id: Int64, before: Model, after: Model)] = []
    var rooms: [Conversation.ID] = []
    var messages: [(id: Message.ID, account: SenderAccount)] = []
    let accounts: [SenderAccount] = (0..<8).map { $0 < 4 ? .id("u\($0)") : .name("n\($0)") }
    let names = ["Ann", "Bob", "me", "Ida"]

    init(seed: UInt64) throws {
      dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
    }

    func step() throws {
      switch Int.random(in: 0...12, using: &dice) {
      case 0...2: try link()
      case 3: try unlink()
      case 4: try rename()
      case 5: try remove()
      case 6...8: try undo()
      case 9: try merge()
      default: try write()
      }
    }

    private func note(_ entry: PersonEntry?, _ after: Model) {
      if let entry { standing.append((entry.id, model, after)) }
      #expect((entry == nil) == (after == model))
      model = after
    }

    private func link() throws {
      let name = names.randomElement(using: &dice) ?? "Ann"
      let chosen = (0..<Int.random(in: 1...3, using: &dice)).compactMap { _ in
        accounts.randomElement(using: &dice)
      }
      let present = model.id(name)
      if chosen.contains(where: { model.owners[$0] != nil && model.owners[$0] != present }) {
        #expect(throws: StoreError.self) { try store.linkAccounts(chosen, to: name) }
        return
      }
      let entry = try store.linkAccounts(chosen, to: name.uppercased())
      var after = model
      let id = try present ?? store.person(named: name).id
      #expect(present != nil || model.names[id] == nil)
      // The user has one name, however it is typed.
      if present == nil { after.names[id] = name == Person.me ? name : name.uppercased() }
      for account in chosen { after.owners[account] = id }
      note(entry, after)
    }

    private func unlink() throws {
      guard let account = accounts.randomElement(using: &dice) else { return }
      guard model.owners[account] != nil else {
        #expect(throws: StoreError.self) { try store.unlinkAccounts([account]) }
        return
      }
      var after = model
      after.owners[account] = nil
      note(try store.unlinkAccounts([account]), after)
    }

    private func rename() throws {
      guard let id = model.names.keys.sorted().randomElement(using: &dice),
        let name = names.randomElement(using: &dice)
      else { return }
      if let other = model.id(name), other != id {
        #expect(throws: StoreError.self) { try store.renamePerson(id, to: name) }
        return
      }
      var after = model
      after.names[id] = name
      note(try store.renamePerson(id, to: name), after)
    }

    private func remove() throws {
      guard let id = model.names.keys.sorted().randomElement(using: &dice) else { return }
      var after = model
      after.names[id] = nil
      after.owners = after.owners.filter { $0.value != id }
      note(try store.removePerson(id), after)
    }

    /// Undoes any entry that stands; the last one always can be.
    private func undo() throws {
      guard let index = standing.indices.randomElement(using: &dice) else { return }
      let (id, before, after) = standing[index]
      var undone = model
      var isFree = true
      for account in accounts where before.owners[account] != after.owners[account] {
        isFree = isFree && model.owners[account] == after.owners[account]
        undone.owners[account] = before.owners[account]
      }
      for person in Set(before.names.keys).union(after.names.keys)
      where before.names[person] != after.names[person] {
        isFree = isFree && model.names[person] == after.names[person]
        undone.names[person] = before.names[person]
      }
      let isWhole =
        undone.owners.values.allSatisfy { undone.names[$0] != nil }
        && Set(undone.names.values.map { $0.lowercased() }).count == undone.names.count
      do {
        try store.undoPeople(id)
        #expect(isFree && isWhole)
        model = undone
        standing.remove(at: index)
      } catch {
        // Refused as well where a later change came and went the same way: it stands on this one.
        #expect(index != standing.indices.last || !isWhole)
      }
    }

    /// Undoes what stands from the last to the first, again and again: one that gives a name back waits for who has it.
    func undoAll() throws {
      while let count = Optional(standing.count), count > 0 {
        for index in standing.indices.reversed() {
          do {
            try store.undoPeople(standing[index].id)
            standing.remove(at: index)
          } catch {
            #expect([.alreadyExists, .invalidRequest].contains(error.kind))
          }
        }
        guard standing.count < count else { return }
      }
      #expect(try store.people() == [])
    }

    private func merge() throws {
      guard rooms.count > 1 else { return }
      rooms.shuffle(using: &dice)
      try store.mergeConversation(rooms.removeLast(), into: rooms[0])
    }

    private func write() throws {
      var batch = ImportBatch()
      guard let account = accounts.randomElement(using: &dice) else { return }
      let name = "room \(Int.random(in: 0...3, using: &dice))"
      // Whoever has an id has many names.
      let text = "\(messages.count)"
      switch account {
      case .id(let id):
        batch.add(
          text, from: "x\(Int.random(in: 0...2, using: &dice))", at: minute(messages.count), in: name,
          details: ImportDetails(senderID: id))
      case .name(let sender): batch.add(text, from: sender, at: minute(messages.count), in: name)
      }
      try store.load([batch])
      rooms = try store.conversations().map(\.id)
      let written = try store.messages(pageSize: 100).first { $0.text == text }
      messages.append((try #require(written).id, account))
    }

    func compare() throws {
      let people = try store.people()
      #expect(Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.name) }) == model.names)
      var owners: [SenderAccount: Person.ID] = [:]
      for person in people { for account in person.accounts { owners[account.account] = person.id } }
      #expect(owners == model.owners)
      for person in people {
        let expected = messages.filter { model.owners[$0.account] == person.id }.map(\.id)
        #expect(person.messageCount == expected.count)
        let selection = Selection(.all, where: try store.predicate(ofPersonNamed: person.name))
        #expect(try store.messages(selection).map(\.id) == expected)
        guard let middle = expected.indices.randomElement(using: &dice) else { continue }
        let page = try store.page(PageRequest(selection, anchor: .ordinal(middle), fetchLimit: 1))
        #expect(page.counts?.total == expected.count && page.messages.first?.id == expected[middle])
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 200 : 4))
  func `people are what a dictionary says after any links, renames, merges and undoing`(seed: UInt64) throws {
    let walk = try Walk(seed: seed)
    for _ in 0..<(isLong ? 400 : 50) {
      try walk.step()
      try walk.compare()
    }
    try walk.undoAll()
    #expect(try walk.store.check().problems == [])
  }
}
