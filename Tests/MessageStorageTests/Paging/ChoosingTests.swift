import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Conversations to choose from.
@Suite struct ChoosingTests {
  /// A store with conversations, each with one message, the last name with the newest; and one without any.
  private func store(_ names: [String]) throws -> TemporaryStore {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 1))
    var batch = ImportBatch()
    for (index, name) in names.enumerated() { batch.add("text", at: minute(index), in: name) }
    let load = try BulkImport(into: temporary.store, .test)
    try load.add(batch)
    _ = try load.finish()
    try temporary.store.makeConversation(named: "empty")
    return temporary
  }

  @Test func `the conversations that were written in last come first, then all others by name`() throws {
    let names = (0..<40).map { "c\($0 * 7 % 40)" }
    let temporary = try store(names)
    let store = temporary.store
    let recent = try store.recentConversations()
    #expect(try recent.map { try store.conversationName($0) } == names.reversed())
    let first = Array(recent.prefix(3))
    let shown = try store.conversations(naming: "", first: first, places: 0..<100).conversations.map(\.name)
    let others: [String] = names.dropLast(3) + ["empty"]
    #expect(shown == Array(names.reversed().prefix(3)) + others.sorted())
  }

  @Test func `among very many conversations those of the newest messages come first`() throws {
    let count = SynchronousMessageStore.fewConversations + 5
    let temporary = try store((0..<count).map { "c\($0)" })
    let store = temporary.store
    let recent = try store.recentConversations()
    #expect(recent.count == SynchronousMessageStore.fewConversations)
    #expect(try store.conversationName(recent[0]) == "c\(count - 1)")
    let last = try store.conversations(naming: "", first: recent, places: count - 1..<count + 5)
    #expect(last.conversations.map(\.name) == ["c3", "c4", "empty"].suffix(2))
    #expect(last.total == count + 1)
  }

  @Test(
    arguments: [
      ("garden", ["garden2", "The Garden"]), ("GARDEN2", ["garden2"]), ("räu", ["Räuber"]),
      ("RÄU", ["Räuber"]),
      ("%", ["100%"]), ("", ["100%", "Räuber", "The Garden", "empty", "garden2"]), ("garden22", []),
      ("gdn", ["garden2", "The Garden"]), ("en 2", ["garden2"]),
      ("e", ["empty", "Räuber", "garden2", "The Garden"]),
    ])
  func `names are narrowed by their letters in any case, the best first`(words: String, expected: [String])
    throws
  {
    let temporary = try store(["The Garden", "Räuber", "garden2", "100%"])
    let store = temporary.store
    let found = try store.conversations(naming: words, first: [], places: 0..<10)
    #expect(found.conversations.map(\.name) == expected)
    #expect(found.total == expected.count)
  }

  @Test func `other names are ranked among conversations, of the same rank and without letters after them`()
    throws
  {
    let temporary = try store(["planning", "ann", "channel"])
    let store = temporary.store
    func names(_ typed: String, _ others: [String]) throws -> [String] {
      try store.conversations(naming: typed, first: [], others: others, places: 0..<10).choices.map {
        choice in
        switch choice {
        case .conversation(let conversation): conversation.name
        case .other(let place): "@" + others[place]
        }
      }
    }
    #expect(
      try names("ann", ["Joanna", "Ann", "Anna"]) == [
        "ann", "@Ann", "@Anna", "@Joanna", "channel", "planning",
      ])
    #expect(try names("", ["Ann"]) == ["ann", "channel", "empty", "planning", "@Ann"])
  }

  @Test func `of equal names the first of those that precede is first`() throws {
    let temporary = try store(["room a", "room b", "room c"])
    let store = temporary.store
    let recent = try store.recentConversations()
    #expect(
      try store.conversations(naming: "rm", first: recent, places: 0..<2).conversations.map(\.name)
        == ["room c", "room b"])
  }

  @Test func `slices are those of the whole list`() throws {
    let temporary = try store((0..<30).map { "c\($0)" })
    let store = temporary.store
    let first = try store.recentConversations().suffix(4)
    let all = try store.conversations(naming: "1", first: Array(first), places: 0..<100)
    for lower in 0...all.total + 1 {
      let slice = try store.conversations(naming: "1", first: Array(first), places: lower..<lower + 3)
      #expect(slice.conversations == Array(all.conversations.dropFirst(lower).prefix(3)))
      #expect(slice.total == all.total)
    }
  }
}
