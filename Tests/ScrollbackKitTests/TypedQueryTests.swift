import Foundation
import ScrollbackKit
import Testing

/// Queries as people type them, with what is public alone.
@Suite struct TypedQueryTests {
  private let folder = TemporaryFolder()

  private func makeStore() async throws -> MessageStore {
    let store = try await MessageStore(path: folder.path + "/history.db")
    let room = try await store.write { try $0.makeConversation(named: "tea room") }
    let garden = try await store.write { try $0.makeConversation(named: "garden") }
    try await store.append(
      [NewMessage("Red tape", from: "ann"), NewMessage("Green tea", from: "Bob B")], to: room.id)
    try await store.append([NewMessage("Roses", from: "ann")], to: garden.id)
    return store
  }

  private func texts(_ query: String, in store: MessageStore) async throws -> [String] {
    let selection = try await Selection(matching: query, in: store)
    return try await store.page(PageRequest(selection)).messages.map(\.text)
  }

  @Test func `a query selects what it finds`() async throws {
    let store = try await makeStore()
    #expect(try await texts("from:ann", in: store) == ["Red tape", "Roses"])
    #expect(try await texts("from:ann -in:garden since:yesterday tape", in: store) == ["Red tape"])
    #expect(try await texts("from:\"Bob B\" OR roses", in: store) == ["Green tea", "Roses"])
    #expect(try await texts(" ", in: store).count == 3)
    let garden = try #require(try await store.read { try $0.conversation(named: "garden") })
    let selection = try await Selection(matching: "from:ann", in: store, conversations: .some([garden.id]))
    #expect(try await store.page(PageRequest(selection)).messages.map(\.text) == ["Roses"])
    await store.close()
  }

  @Test(arguments: [
    ("tea from:nobody", "from:nobody"), ("from:ann since:smarch tea", "since:smarch"),
    ("é form:ann tea", "form:ann"), ("tea \"red ta", "\"red ta"), ("tea from: ann", "from:"),
    ("(in:nowhere OR tea)", "in:nowhere"), ("-kind:nothing", "kind:nothing"),
    ("regex:(", "regex:("), ("tea regex:a+ -regex:\"[z-a]\"", "regex:\"[z-a]\""),
    ("from:ann (matching:\"!\" OR tea)", "matching:\"!\""),
  ])
  func `an error says which part of a query it is about`(query: String, part: String) async throws {
    let store = try await makeStore()
    let error = await #expect(throws: QueryError.self) { try await Selection(matching: query, in: store) }
    #expect(try query[#require(error?.range)] == part)
    #expect(error?.errorDescription?.isEmpty == false)
    await store.close()
  }

  @Test func `an error of the store is about no part of a query`() async throws {
    let store = try await makeStore()
    await store.close()
    let error = await #expect(throws: QueryError.self) {
      try await Selection(matching: "from:ann", in: store)
    }
    #expect(error?.range == nil && error?.reason.kind == .invalidRequest)
  }

  @Test(arguments: [
    ("te fr", ["te from:"]), ("from:a", ["from:ann"]), ("-from:Bo", ["-from:\"Bob B\""]),
    ("(from:\"Bo", ["(from:\"Bob B\""]), ("in:", ["in:\"tea room\"", "in:garden"]), ("is:s", ["is:starred"]),
    ("from:zoe", []), ("tea:", []), ("tea -(from:\"Bob B", ["tea -(from:\"Bob B\""]),
    ("from:\"a", ["from:\"ann\""]), ("from:\"Bob b", []), ("\"red b", []),
  ])
  func `the last word of a query is completed`(query: String, completed: [String]) async throws {
    let store = try await makeStore()
    let completions = try await store.completions(of: query)
    #expect(completions.map { query.replacingCharacters(in: $0.range, with: $0.text) } == completed)
    await store.close()
  }

  @Test func `the word at the insertion point is completed, and what stands behind it stays`() async throws {
    let store = try await makeStore()
    let query = "from:a tea"
    let place = query.index(query.startIndex, offsetBy: 6)
    let completion = try #require(try await store.completions(of: query, at: place).first)
    #expect(query.replacingCharacters(in: completion.range, with: completion.text) == "from:ann tea")
    #expect(try await store.completions(of: "", limit: 3).count == 3)
    await store.close()
  }
}
