import Foundation
import MessageModel
import Testing

@testable import ChatSession

/// What is taken back is what was done here last; what was done elsewhere is named and asked about first.
struct UndoTests {
  private func texts(_ fixture: StoreFixture, _ name: String) throws -> [String] {
    let conversation = try #require(try fixture.store.conversation(named: name))
    return try fixture.store.page(
      PageRequest(Selection(conversation.id), order: .oldestFirst, anchor: .newest, fetchLimit: 5)
    ).messages.map(\.text)
  }

  @Test func `what was done last in another conversation is named and asked about`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 200)
    screen.type("here first")
    screen.type("/open random")
    screen.type("/me writes something precious")
    screen.type("/open general")
    for answer in ["n", ""] {
      screen.type("/undo")
      let asked = (screen.lines + [screen.status]).joined(separator: " ")
      #expect(
        asked.contains(
          "the last change was made in 'random': undo message 'writes something precious' by carol, "
            + "2024-05-15 12:00? (h: the last one here) y, h or n"), "\(screen.terminal.picture)")
      screen.type(answer)
      #expect(try texts(fixture, "random") == ["writes something precious"])
      #expect(try texts(fixture, "general").last == "here first")
    }
    screen.type("/undo")
    screen.type("h")
    #expect(screen.status.hasPrefix(" undone: message #") && screen.status.hasSuffix(" 'here first'"))
    screen.type("/undo")
    #expect(screen.session.question?.line.hasSuffix("? y or n, then Enter") == true, "nothing is left here")
    screen.type("y")
    #expect(screen.status.hasSuffix(" 'writes something precious' in 'random'"), "\(screen.status)")
    #expect(try texts(fixture, "random").isEmpty)
    screen.type("/undo")
    #expect(screen.status.hasPrefix(" there is nothing to undo"))
  }

  @Test func `where it was done, or by /undo here, nobody asks`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 200)
    screen.type("here first")
    screen.type("/open random")
    screen.type("there")
    screen.type("/open general")
    screen.type("/undo here")
    #expect(screen.status.hasSuffix(" 'here first'"))
    screen.type("/undo here")
    #expect(screen.status.contains("nothing was changed in this conversation"), "\(screen.status)")
    screen.type("/open random")
    screen.type("/undo")
    #expect(try texts(fixture, "random").isEmpty)
  }

  @Test func `a message of another conversation that is changed by its id counts as elsewhere`() throws {
    let fixture = try StoreFixture()
    let random = try #require(try fixture.store.conversation(named: "random"))
    let id = try fixture.store.append("far away", from: "dave", replyTo: nil, to: random.id)
    var screen = try fixture.screen(rows: 10, columns: 200)
    screen.type("/delete #\(id)")
    screen.type("/undo")
    #expect(
      screen.session.question?.text.hasPrefix(
        "the last change was made in 'random': undo the deletion of 'far away' by dave") == true)
    screen.type("y")
    #expect(try texts(fixture, "random") == ["far away"])
  }

  @Test func `in a pipe what was done last elsewhere is an error with the way out`() throws {
    let fixture = try StoreFixture()
    let answer = try fixture.transcript("/open random\n/me writes something precious\n/open general\n/undo")
    #expect(
      answer == """
        ! line 4: cannot undo: the last change was made in 'random'
          cause: it is message 'writes something precious' by carol, 2024-05-15 12:00
          try: /open random, then /undo

        """)
    #expect(try texts(fixture, "random") == ["writes something precious"])
    _ = try fixture.transcript(
      "/me here\n/open random\n/me there\n/open general\n/undo here\n/open random\n/undo")
    #expect(try texts(fixture, "random") == ["writes something precious"])
    #expect(try texts(fixture, "general").last == "message 100 of pears")
  }

  @Test func `an edit and a deletion that were undone leave no trace`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 200)
    func export() throws -> String {
      let file = fixture.folder.appendingPathComponent("\(UUID()).jsonl")
      _ = try fixture.transcript("/export \(file.path)")
      return try String(contentsOf: file, encoding: .utf8)
    }
    let before = (try export(), screen.lines)
    for line in ["/edit g gone", "/delete f", "/edit g gone again", "/react g 👍"] { screen.type(line) }
    #expect(try export() != before.0)
    for _ in 1...4 { screen.type("/undo") }
    #expect(try export() == before.0)
    screen.handle(.key(.redraw))
    #expect(screen.lines == before.1, "\(screen.terminal.picture)")
  }

  @Test func `a change that cannot be undone any more is forgotten`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 10, columns: 200)
    screen.type("first")
    screen.type("second")
    let newest = try #require(try fixture.context().conversation.newest)
    _ = try fixture.store.delete([newest])
    screen.type("/undo")
    #expect(screen.status.contains("there is no such message"), "\(screen.status)")
    screen.type("/undo")
    #expect(screen.status.hasSuffix(" 'first'"), "\(screen.status)")
  }
}
