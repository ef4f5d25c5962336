import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// What the page may write where its user permits it: how far was read, and stars.
@Suite(.waiting) struct PageWriteTests {
  private func mark(in fixture: ServerFixture) throws -> Message.ID? {
    let store = try SynchronousMessageStore(path: fixture.shell.store, options: .readOnly)
    defer { store.close() }
    return try store.conversations().first?.readUpTo
  }

  private func send(
    _ query: String, to fixture: ServerFixture, origin: String? = nil, method: String = "POST"
  ) throws -> RawClient.Response {
    let origin = origin ?? "http://\(fixture.host)"
    return try fixture.get(
      "api/read?\(query)", method: method, fields: origin.isEmpty ? [] : ["Origin: \(origin)"])
  }

  private func identity(of fixture: ServerFixture) throws -> String {
    try #require(try fixture.get("api/filters")["Scrollback-Store"])
  }

  @Test func `a mark is written, and never moves back`() throws {
    let fixture = try ServerFixture(count: 20, permissions: [.read])
    let (ids, store) = (try fixture.ids(), try identity(of: fixture))
    #expect(try fixture.get("api/filters")["Scrollback-Writes"] == "read")
    for (given, expected) in [(5, 5), (12, 12), (3, 12)] {
      let response = try send("conversationID=1&upTo=\(ids[given])&store=\(store)", to: fixture)
      #expect(response.status == 204 && response.body.isEmpty)
      #expect(try mark(in: fixture) == ids[expected])
    }
    #expect(try fixture.ids() == ids)
  }

  @Test func `a mark moves back to before the message from which all is to be unread, and never forward`()
    throws
  {
    let fixture = try ServerFixture(count: 20, permissions: [.read])
    let (ids, store) = (try fixture.ids(), try identity(of: fixture))
    #expect(try send("conversationID=1&upTo=\(ids[12])&store=\(store)", to: fixture).status == 204)
    for (given, expected) in [(7, 6), (10, 6), (3, 2)] {
      #expect(try send("conversationID=1&unreadFrom=\(ids[given])&store=\(store)", to: fixture).status == 204)
      #expect(try mark(in: fixture).flatMap { mark in ids.last { $0 <= mark } } == ids[expected])
    }
    let both = "conversationID=1&upTo=\(ids[5])&unreadFrom=\(ids[4])&store=\(store)"
    #expect(try send(both, to: fixture).status == 400)
  }

  @Test func `who does not say where from, what is incomplete and what is of another store is refused`()
    throws
  {
    let fixture = try ServerFixture(count: 3, permissions: [.read])
    let (id, store) = (try fixture.ids()[1], try identity(of: fixture))
    let good = "conversationID=1&upTo=\(id)&store=\(store)"
    #expect(try send(good, to: fixture, origin: "").status == 403)
    #expect(try send(good, to: fixture, origin: "http://example.org").status == 403)
    #expect(try send("conversationID=1&store=\(store)", to: fixture).status == 400)
    #expect(try send(good + "&more=1", to: fixture).status == 400)
    #expect(try send("conversationID=1&upTo=\(id)&store=other", to: fixture).status == 503)
    #expect(try send(good, to: fixture, method: "GET").status == 405)
    #expect(try mark(in: fixture) == nil)
    let client = try fixture.client()
    client.send(
      fixture.request("/x/api/read?\(good)", method: "POST", fields: ["Origin: http://\(fixture.host)"]))
    #expect(try client.response().status == 403)
    #expect(try mark(in: fixture) == nil)
  }

  @Test func `nothing but what is permitted can be written`() throws {
    let fixture = try ServerFixture(count: 3, permissions: [.read])
    for path in ["api/page", "api/conversations", "api/changes", "", "page.js", "attachment/1/0"] {
      let response = try fixture.get(path, method: "POST", fields: ["Origin: http://\(fixture.host)"])
      #expect(response.status == 405, "\(path)")
    }
    #expect(try fixture.get("api/page", method: "PUT").status == 405)
  }

  @Test func `unless it is permitted there is nothing to write to`() throws {
    let fixture = try ServerFixture(count: 3)
    #expect(try fixture.get("api/filters")["Scrollback-Writes"] == nil)
    #expect(try send("conversationID=1&upTo=\(try fixture.ids()[1])&store=x", to: fixture).status == 405)
    #expect(try fixture.get("api/read").status == 404)
    #expect(try mark(in: fixture) == nil)
  }

  private func isStarred(_ id: Message.ID, in fixture: ServerFixture) throws -> Bool {
    let store = try SynchronousMessageStore(path: fixture.shell.store, options: .readOnly)
    defer { store.close() }
    return try store.message(id)?.starredAt != nil
  }

  private func sendStar(_ query: String, to fixture: ServerFixture) throws -> Int {
    try fixture.get("api/star?\(query)", method: "POST", fields: ["Origin: http://\(fixture.host)"]).status
  }

  @Test func `a star is given and taken away, where that is permitted alone`() throws {
    let fixture = try ServerFixture(count: 3, permissions: [.stars])
    let (id, store) = (try fixture.ids()[1], try identity(of: fixture))
    #expect(try fixture.get("api/filters")["Scrollback-Writes"] == "stars")
    #expect(try sendStar("message=\(id)&starred=true&store=\(store)", to: fixture) == 204)
    #expect(try isStarred(id, in: fixture))
    #expect(try sendStar("message=\(id)&starred=false&store=\(store)", to: fixture) == 204)
    #expect(try !isStarred(id, in: fixture))
    #expect(try sendStar("message=\(id)&store=\(store)", to: fixture) == 400)
    #expect(try sendStar("message=1&starred=true&store=\(store)", to: fixture) == 404)
    #expect(try sendStar("message=\(id)&starred=true&store=other", to: fixture) == 503)
    #expect(try send("conversationID=1&upTo=\(id)&store=\(store)", to: fixture).status == 404)
    let marking = try ServerFixture(count: 3, permissions: [.read])
    #expect(try sendStar("message=\(id)&starred=true&store=\(store)", to: marking) == 404)
  }
}
