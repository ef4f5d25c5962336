import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Accounts that seem to be one person's.
@Suite struct SuggestionTests {
  private let temporary = try! TemporaryStore()
  private var store: SynchronousMessageStore { temporary.store }

  private func load(_ senders: [(String, String?)]) throws {
    var batch = ImportBatch()
    for (number, (name, external)) in senders.enumerated() {
      batch.add(
        "\(number)", from: name, at: minute(number), details: external.map { ImportDetails(senderID: $0) })
    }
    try store.load([batch])
  }

  private func suggested(_ country: String? = nil) throws -> [String] {
    try store.suggestedPeople(country: country.flatMap { CallingCode($0) }).map { one in
      let reasons = one.reasons.map { reason in
        switch reason {
        case .contact(let key): key.text
        case .id(let id): "id \(id)"
        case .name(let name): "name \(name)"
        }
      }
      return
        "\(one.person)\(one.isKnown ? "!" : "") [\(one.news.map(\.text).sorted().joined(separator: ", "))] "
        + reasons.joined(separator: ", ")
    }
  }

  @Test func `numbers, addresses and ids are reasons, and equal names are told beside them`() throws {
    try load([
      ("Ann Smith", "436641234567@s.whatsapp.net"), ("Ann Smith", "+43 664 1234567"), ("0664 1234567", nil),
      ("Bob Ross", "u1"), ("Bob Ross", "u2"), ("u2", nil), ("Eve", "EVE@example.org"),
      ("eve@example.org", nil),
    ])
    #expect(
      try suggested() == [
        "Ann Smith [+43 664 1234567, 436641234567@s.whatsapp.net] +436641234567, name Ann Smith",
        "Bob Ross [u2, u2] id u2", "Eve [EVE@example.org, eve@example.org] eve@example.org",
      ])
    #expect(
      try suggested("AT")[0]
        == "Ann Smith [+43 664 1234567, 0664 1234567, 436641234567@s.whatsapp.net] +436641234567, name Ann Smith"
    )
    #expect(try store.people() == [])
  }

  @Test func `what is linked is suggested no more, and two people are never made one`() throws {
    try load([("Ann", "+436641234567"), ("+43 664 1234567", nil), ("0043 664 1234567", "x"), ("ann", "y")])
    try store.linkAccounts([.id("+436641234567")], to: "Ann")
    #expect(try suggested() == ["Ann! [+43 664 1234567, x] +436641234567"])
    try store.linkAccounts([.id("x")], to: "Bob")
    #expect(try suggested() == [])
    try store.undoPeople()
    let one = try #require(try store.suggestedPeople().first)
    try store.linkAccounts(one.news, to: one.person)
    #expect(try suggested() == [] && store.people().count == 1)
  }

  @Test func `people who are called alike get names of their own`() throws {
    try load([
      ("Ann", "+436641234567"), ("+43 664 1234567", nil), ("Ann", "+436647654321"), ("+43 664 7654321", nil),
    ])
    #expect(try store.suggestedPeople().map(\.person) == ["Ann", "Ann (2)"])
    try store.linkAccounts([.name("nobody")], to: "ann")
    #expect(try store.suggestedPeople().map(\.person) == ["Ann (2)", "Ann (3)"])
  }
}
