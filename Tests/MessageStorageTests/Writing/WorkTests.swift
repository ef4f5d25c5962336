import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// How many steps SQLite's machine takes to write, as a store grows: a number, where a time would be a guess.
@Suite struct WorkTests {
  @Test func `writing takes as many steps in a large store as in a small one`() throws {
    let (small, large) = (try steps(among: 4_000), try steps(among: 40_000))
    for (name, count) in small {
      let most = count * 3 / 2
      #expect(
        large[name] ?? .max <= most, "\(name): \(count) steps among 4,000, \(large[name] ?? 0) among 40,000")
    }
  }

  /// The steps of each way to write, in a store of so many messages: two senders, a minute apart.
  private func steps(among total: Int) throws -> [String: Int] {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for index in 0..<total { batch.add("text \(index)", from: index % 2 == 0 ? "a" : "b", at: minute(index)) }
    try store.load([batch])
    let room = try #require(try store.conversation(named: "general")).id
    // More than a block holds, at the end and in one place of the middle: blocks divide.
    let appended = (0..<1_100).map { NewMessage("new \($0)", from: "a") }
    let backdated = (0..<1_100).map { NewMessage("old \($0)", from: "b", at: minute(total / 2)) }
    let middle = try #require(
      try store.page(PageRequest(.everything, anchor: .percent(50), fetchLimit: 1)).messages.first)
    return [
      "append": try store.steps { try store.append(appended, to: room) },
      "append in the middle": try store.steps { try store.append(backdated, to: room) },
      "edit": try store.steps { try store.edit(middle.id, text: "changed") },
      "delete": try store.steps { try store.delete([middle.id]) },
    ]
  }
}
