#if TerminalPictures
  import Foundation
  import MessageModel
  import ShellTesting
  import TestSupport
  import Testing

  /// Pictures in the window.
  @Suite(.serialized) struct PictureScreenTests {
    /// A fixture with a photograph attached to the newest message.
    private func fixture() throws -> ShellFixture {
      let fixture = try ShellFixture()
      let file = fixture.folder.appendingPathComponent("cliff.jpg")
      var generator = PictureGenerator()
      let bytes = generator.jpeg(PixelSize(width: 1_600, height: 1_200), seed: 5)
      try Data(bytes).write(to: file)
      try #require(run(fixture, ["append", "-c", "general", "--from", "dora", "at the sea"]) == 0)
      let newest = try fixture.run(["export", "--format", "jsonl", "--newest-first", "--limit", "1"]).output
      let id = newest.split(separator: "\"").first { $0.allSatisfy(\.isNumber) && $0.count > 10 } ?? ""
      try #require(run(fixture, ["attach", String(id), file.path]) == 0)
      return fixture
    }

    private func run(_ fixture: ShellFixture, _ arguments: [String]) throws -> Int32 {
      try fixture.run(arguments).status
    }

    private func blockCount(_ screen: TerminalModel) -> Int {
      screen.lines.joined().count { "▀▄█".contains($0) }
    }

    @Test func `a thumbnail is drawn when it is in view and is gone when it is not`() throws {
      let terminal = try fixture().open(rows: 30, columns: 80)
      try terminal.type("/set pictures on\r")
      try terminal.wait(for: "a picture of half blocks") { blockCount($0) > 100 }
      #expect(terminal.screen.contains("cliff.jpg"))
      try terminal.type("/top\r")
      try terminal.wait(for: "the oldest messages") { $0.contains("1 of 201") && blockCount($0) == 0 }
      try terminal.type("/bottom\r")
      try terminal.wait(for: "the picture again") { blockCount($0) > 100 }
      try terminal.type("/memory\r")
      try terminal.wait(for: "pictures drawn")
      try terminal.type("\r/quit\r")
      #expect(terminal.waitForExit() == 0)
      #expect(terminal.screen.unknownSequences.isEmpty)
    }

    @Test func `the setting is kept for the next run`() throws {
      let fixture = try fixture()
      let first = try fixture.open(rows: 30, columns: 80)
      try first.type("/set pictures on\r")
      try first.wait(for: "pictures = on")
      try first.type("/quit\r")
      #expect(first.waitForExit() == 0)
      let second = try fixture.open(rows: 30, columns: 80)
      try second.wait(for: "a picture of half blocks") { blockCount($0) > 100 }
    }

    @Test func `a message that is viewed shows a larger picture`() throws {
      let terminal = try fixture().open(rows: 40, columns: 80)
      try terminal.type("/set pictures on\r")
      try terminal.wait(for: "a picture of half blocks") { blockCount($0) > 100 }
      let small = blockCount(terminal.screen)
      let letter = terminal.screen.lines.first { $0.contains("at the sea") }?.prefix(2).trimmingCharacters(
        in: .whitespaces)
      try terminal.type("/view \(try #require(letter))\r")
      try terminal.wait(for: "a larger picture") { blockCount($0) > small }
    }
  }
#endif
