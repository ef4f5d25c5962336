import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// A window follows the conversation that it shows, whoever renames, merges or deletes that.
struct FollowedConversationTests {
  private func general(_ fixture: StoreFixture) throws -> Conversation {
    try #require(try fixture.store.conversation(named: "general"))
  }

  private func random(_ fixture: StoreFixture) throws -> Conversation {
    try #require(try fixture.store.conversation(named: "random"))
  }

  @Test func `a new name is taken, in the status and for the kept place`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/goto 50")
    screen.type("/open random")
    screen.type("/open general")
    try fixture.store.renameConversation(try general(fixture).id, to: "galley")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status == " 'general' is called 'galley' now")
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" galley  50 of 100"), "\(screen.status)")
    screen.type("/open random")
    screen.type("/open galley")
    #expect(screen.status.hasPrefix(" galley  50 of 100"), "\(screen.status)")
    screen.type("hello")
    #expect(try fixture.store.conversation(named: "galley")?.messageCount == 101)
  }

  @Test func `a merge is followed to where the messages are, with the filter and the way back`() throws {
    let fixture = try StoreFixture()
    try fixture.store.append("before", from: "dave", replyTo: nil, to: try random(fixture).id)
    var screen = try fixture.screen(columns: 100)
    screen.type("/goto 20")
    screen.type("/goto 50")
    try fixture.store.mergeConversation(try general(fixture).id, into: try random(fixture).id)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status == " 'general' is part of 'random' now")
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" random  50 of 101"), "\(screen.status)")
    #expect(screen.lines.contains { $0.hasSuffix("message 50 of pears") })
    screen.type("/back")
    #expect(screen.status.hasPrefix(" random  20 of 101"), "\(screen.status)")
  }

  @Test func `what is typed before a merge is noticed is not sent elsewhere unasked`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 120)
    try fixture.store.mergeConversation(try general(fixture).id, into: try random(fixture).id)
    let effects = screen.type("good morning")
    #expect(effects.line == "good morning")
    #expect(screen.status.hasPrefix(" not sent: 'general' is part of 'random' now"), "\(screen.status)")
    #expect(try random(fixture).messageCount == 100)
    screen.type("good morning")
    #expect(try random(fixture).messageCount == 101)
  }

  @Test func `a deletion is said, nothing is sent, and what is imported again is shown`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 120)
    try fixture.store.deleteConversation(try general(fixture).id)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status == " 'general' was deleted")
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" general  was deleted · /open NAME"), "\(screen.status)")
    #expect(screen.type("hello").line == "hello")
    #expect(screen.status.hasPrefix(" not sent: 'general' was deleted — try: /open NAME"), "\(screen.status)")
    let again = try fixture.store.makeConversation(named: "general").id
    try fixture.store.append("back", from: "dave", replyTo: nil, to: again)
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status == " 'general' is there again")
    #expect(screen.lines.contains { $0.hasSuffix("back") }, "\(screen.terminal.picture)")
  }

  @Test func `a question that names the conversation is put away, and its line comes back`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 120)
    let question = Question(
      text: "append to general, imported?",
      answers: [.init(word: "yes", command: .message("as asked")), .init(word: "no", command: nil)],
      permits: Permission(sort: .appending, conversation: try general(fixture).id))
    try screen.session.emit(Effects(.question(question)))
    try fixture.store.renameConversation(try general(fixture).id, to: "galley")
    let effects = screen.handle(.storeChanged)
    #expect(effects.line == "as asked" && screen.session.question == nil)
  }

  @Test func `a mark that was set in everything leads back to it, in the next run too`() throws {
    let fixture = try StoreFixture()
    _ = try fixture.store.linkAccounts([.name("alice")], to: "Ann")
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/open *"))
    screen.finish(screen.type("/goto 30"))
    screen.type("/mark all")
    screen.finish(screen.type("/open @Ann"))
    screen.finish(screen.type("/goto 20"))
    screen.type("/mark ann")
    screen.finish(screen.type("/open general"))
    screen.finish(screen.type("/goto 'all"))
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" Everything  30 of 100"), "\(screen.status)")
    var next = try fixture.screen(columns: 100)
    next.finish(next.type("/goto 'ann"))
    next.handle(.key(.redraw))
    #expect(next.status.hasPrefix(" @Ann  20 of 50"), "\(next.status)")
    next.finish(next.type("/marks"))
    #expect(
      next.lines[0].contains("Everything") && next.lines[1].contains("@Ann"), "\(next.terminal.picture)")
    // A mark that moves to a conversation leads there.
    next.finish(next.type("/open general"))
    next.type("/mark all")
    #expect(try fixture.store.marks().first { $0.name == "all" }?.view == nil)
  }
}
