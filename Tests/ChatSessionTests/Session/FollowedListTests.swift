import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// Lists follow what others do to the messages, marks, conversations in them while they are shown, and before they are shown again.
struct FollowedListTests {
  private func screen(_ fixture: StoreFixture) throws -> StoreFixture.Screen {
    var screen = try fixture.screen(rows: 20, columns: 100)
    screen.session.lookUps.cover.interval = .zero
    return screen
  }

  private func id(_ number: Int, in fixture: StoreFixture) throws -> Message.ID {
    let page = try fixture.store.page(PageRequest(.everything, anchor: .ordinal(number - 1), fetchLimit: 1))
    return try #require(page.messages.first?.id)
  }

  private func notice(_ screen: inout StoreFixture.Screen) {
    screen.finish(screen.handle(.storeChanged))
  }

  @Test func `a list of stars has those there are, shown again or while it is shown`() throws {
    let fixture = try StoreFixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/stars"))
    #expect(screen.status.contains(" 0 hits"), "\(screen.status)")
    screen.finish(screen.handle(.key(.escape)))
    let (last, other) = (try id(100, in: fixture), try id(50, in: fixture))
    screen.finish(screen.type("/star #\(last)"))
    notice(&screen)
    screen.finish(screen.type("/stars"))
    #expect(screen.status.contains(" 1 of 1 hit "), "\(screen.status)")
    // Somebody else gives one to an older message.
    try fixture.store.star([other])
    notice(&screen)
    #expect(screen.status.contains(" 1 of 2 hits"), "\(screen.status)")
    #expect(screen.lines.contains { $0.hasSuffix("message 50 of pears") })
    try fixture.store.unstar([last, other])
    notice(&screen)
    #expect(screen.status.contains(" 0 hits") && !screen.status.contains(" of 0"), "\(screen.status)")
    #expect(screen.lines[0].contains("nothing found"))
    screen.finish(screen.handle(.key(.escape)))
    screen.finish(screen.type("/stars"))
    #expect(screen.status.contains(" 0 hits"), "\(screen.status)")
  }

  @Test func `a list of hits follows edits and deletions`() throws {
    let fixture = try StoreFixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/hits pears"))
    screen.finish(screen.handle(.key(.rowNewer)))
    #expect(screen.status.contains(" 2 of 50 hits"), "\(screen.status)")
    _ = try fixture.store.edit(try id(96, in: fixture), text: "message 96 of plums")
    notice(&screen)
    #expect(screen.status.contains(" 2 of 49 hits"), "\(screen.status)")
    #expect(!screen.lines.prefix(7).contains { $0.contains("message 96") }, "\(screen.terminal.picture)")
    _ = try fixture.store.edit(try id(98, in: fixture), text: "message 98 of ripe pears")
    notice(&screen)
    #expect(
      screen.lines.prefix(7).contains { $0.hasSuffix("98 of ripe pears") }, "\(screen.terminal.picture)")
    let _: DeletedMessages = try fixture.store.delete([id(98, in: fixture)])
    notice(&screen)
    #expect(screen.status.contains(" of 48 hits"), "\(screen.status)")
    try fixture.receive("new pears")
    notice(&screen)
    #expect(screen.status.contains(" of 49 hits"), "\(screen.status)")
  }

  @Test func `a list of hits begins at the hit that the reader is at`() throws {
    var screen = try screen(StoreFixture())
    screen.finish(screen.type("/search apples"))
    for _ in 1...30 { screen.finish(screen.type("/prev")) }
    let hit = try #require(screen.status.split(separator: "'").last).trimmingPrefix(" ")
    screen.finish(screen.type("/hits"))
    #expect(screen.status.hasPrefix(" 31 of 50 hits"), "\(hit): \(screen.status)")
    // Where the list was left it goes on, unless the reader has gone to another hit since.
    screen.finish(screen.handle(.key(.rowNewer, count: 2)))
    screen.finish(screen.handle(.key(.escape)))
    screen.finish(screen.type("/hits"))
    #expect(screen.status.hasPrefix(" 33 of 50 hits"), "\(screen.status)")
    screen.finish(screen.handle(.key(.escape)))
    screen.finish(screen.type("/prev"))
    screen.finish(screen.type("/hits"))
    #expect(screen.status.hasPrefix(" 32 of 50 hits"), "\(screen.status)")
  }

  @Test func `lists of marks, conversations, days and threads are made again, with the same line chosen`()
    throws
  {
    let fixture = try StoreFixture()
    let store = fixture.store
    let general = try #require(try store.conversation(named: "general"))
    let first = try id(1, in: fixture)
    try store.setMark(NamedMark(name: "m", conversation: general.id, message: first))
    var screen = try screen(fixture)
    screen.finish(screen.type("/marks"))
    screen.finish(screen.handle(.key(.rowNewer)))
    try store.setMark(NamedMark(name: "a", conversation: general.id, message: first))
    notice(&screen)
    #expect(screen.lines[0].contains("'a") && screen.lines[1].contains("'m"), "\(screen.terminal.picture)")
    #expect(screen.session.reader.cover.listing?.chosenName == "m")
    try store.removeMark(named: "m")
    notice(&screen)
    #expect(screen.session.reader.cover.listing?.chosenName == "a")
    screen.finish(screen.handle(.key(.escape)))

    screen.finish(screen.type("/conversations"))
    try store.renameConversation(#require(try store.conversation(named: "random")).id, to: "kitchen")
    notice(&screen)
    #expect(
      screen.lines.contains { $0.contains("kitchen") } && !screen.lines.contains { $0.contains("random") })
    screen.finish(screen.handle(.key(.escape)))

    screen.finish(screen.type("/threads"))
    screen.finish(screen.handle(.key(.escape)))
    _ = try store.append("an answer", from: "dave", replyTo: first, to: general.id)
    notice(&screen)
    screen.finish(screen.type("/threads"))
    #expect(screen.lines.contains { $0.contains("message 1 of apples") }, "\(screen.terminal.picture)")
    _ = try store.append("another", from: "dave", replyTo: id(2, in: fixture), to: general.id)
    notice(&screen)
    #expect(screen.lines.contains { $0.contains("message 2 of pears") }, "\(screen.terminal.picture)")
    screen.finish(screen.handle(.key(.escape)))

    screen.finish(screen.type("/days"))
    let days = try #require(screen.session.reader.cover.listing).lines.count
    _ = try store.append(
      [NewMessage("later", from: "dave", at: Timestamp(utc: CivilTime(year: 2024, month: 6, day: 9)))],
      to: general.id)
    notice(&screen)
    #expect(screen.session.reader.cover.listing?.lines.count == days + 1)
  }

  @Test func `the map has new months, with the same day chosen`() throws {
    let fixture = try StoreFixture()
    var screen = try screen(fixture)
    screen.finish(screen.type("/map"))
    screen.finish(screen.handle(.key(.dayOlder)))
    let day = screen.session.reader.cover.map?.day?.start
    let general = try #require(try fixture.store.conversation(named: "general")).id
    _ = try fixture.store.append(
      [NewMessage("later", from: "dave", at: Timestamp(utc: CivilTime(year: 2024, month: 6, day: 9)))],
      to: general)
    notice(&screen)
    #expect(screen.session.reader.cover.map?.months.count == 2)
    #expect(screen.session.reader.cover.map?.day?.start == day)
  }

  @Test func `while others write, a list is made again a few times a minute`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 20, columns: 100)
    screen.finish(screen.type("/marks"))
    try fixture.receive("one")
    let first = screen.handle(.storeChanged)
    #expect(first.jobs.count { $0.lane == .cover } == 1)
    #expect(screen.handle(.storeChanged).jobs.allSatisfy { $0.lane != .cover }, "one is under way")
    screen.finish(first)
    #expect(screen.handle(.storeChanged).jobs.allSatisfy { $0.lane != .cover })
    #expect(screen.session.wakesAt != nil, "it is made when its time has come")
  }
}
