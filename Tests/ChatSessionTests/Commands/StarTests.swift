import Foundation
import MessageModel
import Testing

@testable import ChatSession

/// `/star` and `/stars`.
struct StarTests {
  private func stars(_ fixture: StoreFixture) throws -> [String] {
    try fixture.store.page(
      PageRequest(Selection(.all, where: .has(.star)), anchor: .newest, fetchLimit: 9)
    ).messages.map(\.text)
  }

  @Test func `a star is seen beside its message, goes with the same command, and both can be undone`() throws
  {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 100)
    screen.type("hello")
    let id = try #require(screen.session.reader.view.visible.last)
    screen.type("/star #\(id)")
    let time = try #require(
      try fixture.store.page(
        PageRequest(Selection(.all, where: .has(.star)), anchor: .newest, fetchLimit: 1)
      ).messages.first?.starredAt)
    #expect(screen.lines.contains { $0.hasSuffix("★") }, "\(screen.terminal.picture)")
    screen.type("/star #\(id)")
    #expect(try stars(fixture) == [])
    #expect(!screen.lines.contains { $0.contains("★") })
    screen.type("/undo")
    #expect(screen.status.contains("undone: the removal of the star of #"), "\(screen.status)")
    let again = try fixture.store.page(
      PageRequest(Selection(.all, where: .has(.star)), anchor: .newest, fetchLimit: 1)
    )
    .messages
    #expect(again.map(\.starredAt) == [time])
    screen.type("/undo")
    #expect(screen.status.contains("undone: the star of #"), "\(screen.status)")
    #expect(try stars(fixture) == [])
  }

  @Test func `is starred filters, counts exactly, is saved, and /stars lists`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 12, columns: 100)
    for text in ["one", "two"] { screen.type(text) }
    let ids = try fixture.store.page(
      PageRequest(.everything, anchor: .newest, fetchLimit: 1)
    ).messages.map(\.id)
    try fixture.store.star(ids)
    screen.type("/filter is:starred")
    #expect(screen.lines.contains { $0.hasSuffix("two ★") }, "\(screen.terminal.picture)")
    #expect(!screen.lines.contains { $0.hasSuffix("one") })
    screen.type("/filter save kept")
    #expect(try fixture.store.savedFilters().map(\.name) == ["kept"])
    screen.type("/filter")
    screen.finish(screen.type("/stars"))
    #expect(screen.lines.contains { $0.contains("two") }, "\(screen.terminal.picture)")
    #expect(screen.status.contains("1 hit"), "\(screen.status)")
    screen.handle(.key(.escape))
    screen.type("/filter is:read")
    #expect(screen.status.contains("is: does not take 'read'"), "\(screen.status)")
  }

  @Test func `what another process has starred is seen`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 100)
    screen.type("hello")
    let id = try #require(
      try fixture.store.page(PageRequest(.everything, anchor: .newest, fetchLimit: 1)).messages.first?.id)
    try fixture.store.star([id])
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.hasSuffix("hello ★") }, "\(screen.terminal.picture)")
  }

  @Test func `nothing is starred in a view, and no question is asked where a conversation was imported`()
    throws
  {
    let fixture = try StoreFixture()
    var session = try Session(try fixture.context(), rows: 10, columns: 100, isReadOnly: true)
    _ = session.handle(.line("/star a"))
    #expect(try stars(fixture) == [])
    var screen = try fixture.screen(rows: 10, columns: 100)
    screen.type("/star a")
    #expect(screen.session.question == nil)
    #expect(try stars(fixture).count == 1)
  }
}
