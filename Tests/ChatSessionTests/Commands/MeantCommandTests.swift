import MessageModel
import Testing

@testable import ChatSession

/// What people type for a command that is called otherwise, or is one of the shell.
struct MeantCommandTests {
  @Test(arguments: [
    ("/People now", "scrollback people, in the shell; /person NAME shows one"),
    ("/people", "scrollback people, in the shell; /person NAME shows one"), ("/channels", "/conversations"),
    ("/golo", "/goto"), ("/xyzzyx", "/help"),
  ])
  func `the way out is what is meant, else the nearest name`(line: String, remedy: String) {
    let error = #expect(throws: UsageError.self) { try CommandParser.command(in: line) }
    #expect(error?.remedy == .words(remedy))
  }

  @Test func `commands of other programs are those of this one`() throws {
    let names = [
      "/q": "/quit", "/wq": "/quit", "/e random": "/open random", "/join random": "/open random",
      "/buffer random": "/open random", "/100": "/goto 100", "/50%": "/goto 50%",
      "/2024-05-01": "/goto 2024-05-01",
    ]
    for (typed, meant) in names {
      #expect(try CommandParser.command(in: typed) == CommandParser.command(in: meant), "\(typed)")
    }
  }

  @Test func `no command, nor the beginning of one, is said not to be there`() {
    for name in CommandTable.meant.keys {
      #expect(!CommandTable.entries.contains { $0.name.hasPrefix(name) }, "/\(name)")
    }
  }

  @Test func `ways out that are commands are commands`() throws {
    for case .words(let words) in CommandTable.meant.values.map(\.way) where words.hasPrefix("/") {
      let name = words.dropFirst().prefix { $0.isLetter }
      #expect(CommandTable.entries.contains { $0.name == name }, "\(words)")
    }
  }
}
