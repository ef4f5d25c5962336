import ChatSession
import Foundation
import MessageModel
import Testing

/// Commands from files, and exports into commands.
struct SourceTests {
  private func write(_ text: String, to name: String, in fixture: StoreFixture) throws -> String {
    let file = fixture.folder.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  @Test func `the commands of a file are carried out line by line`() throws {
    let fixture = try StoreFixture()
    let file = try write("/goto 40\n\n/mark here\n/bottom\n/goto 'here\n", to: "commands", in: fixture)
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/source \(file)"))
    #expect(try screen.status.contains("40 of 100") && fixture.store.marks().count == 1)
    #expect(try fixture.transcript("/source \(file)").hasSuffix("message 40 of pears\n"))
  }

  @Test func `the first that fails ends a file, and is named with its place`() throws {
    let fixture = try StoreFixture()
    for (line, why) in [
      ("/nosuch", "there is no command '/nosuch'"), ("hello", "commands start with /"),
    ] {
      let file = try write("/goto 40\n\(line)\n/top\n", to: "commands", in: fixture)
      var screen = try fixture.screen(rows: 8, columns: 200)
      screen.type("/source \(file)")
      // A path of many letters is cut.
      let place = "\(file.prefix(40))"
      #expect(
        screen.status.hasPrefix(" \(place)") && screen.status.contains(":2: \(why)"), "\(screen.status)")
      screen.handle(.key(.redraw))
      #expect(screen.status.contains("40 of 100"))
      let said = try fixture.transcript("/source \(file)\n/top")
      #expect(said.contains("! line 1: \(place)") && said.contains(":2: \(why)"))
    }
    #expect(try fixture.store.conversations().reduce(0) { $0 + $1.messageCount } == 100)
  }

  @Test func `files that name each other end, and others than regular ones are not read`() throws {
    let fixture = try StoreFixture()
    let path = fixture.folder.appendingPathComponent("loop").path
    let loop = try write("/source \(path)\n/source \(path)\n", to: "loop", in: fixture)
    #expect(try fixture.transcript("/source \(loop)").contains("command files are nested more than 8 deep"))
    #expect(try fixture.transcript("/source /dev/zero").contains("it is not a regular file"))
    #expect(try fixture.transcript("/source \(fixture.folder.path)").contains("it is not a regular file"))
    #expect(try fixture.transcript("/source /nowhere").contains("No such file"))
    let pipe = fixture.folder.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try fixture.transcript("/source \(pipe)").contains("it is not a regular file"))
    let large = try write(String(repeating: "/top\n", count: 300_000), to: "large", in: fixture)
    #expect(try fixture.transcript("/source \(large)").contains("it has more than"))
    let many = try write(String(repeating: "/top\n", count: 10_001), to: "many", in: fixture)
    #expect(try fixture.transcript("/source \(many)").contains("it has more than 10,000 lines"))
  }

  @Test func `a long file is carried out in pieces, and Ctrl-C ends it`() throws {
    let fixture = try StoreFixture()
    let file = try write(String(repeating: "/older 1\n", count: 70), to: "commands", in: fixture)
    var screen = try fixture.screen(columns: 100)
    screen.type("/source \(file)")
    #expect(screen.session.wakesAt.map { $0 <= .now } == true && !screen.status.contains("30 of 100"))
    for _ in 1...3 { screen.handle(.timePassed) }
    #expect(screen.status.contains("25 of 100"), "\(screen.status)")
    screen.type("/bottom")
    screen.type("/source \(file)")
    screen.handle(.interrupted)
    let before = screen.status
    for _ in 1...3 { screen.handle(.timePassed) }
    #expect(screen.status == before)
  }

  @Test func `an export waits for the one before it, in a file too`() throws {
    let fixture = try StoreFixture()
    let folder = fixture.folder.path
    let file = try write(
      "/export \(folder)/a.csv\n/export \(folder)/b.csv\n/top\n", to: "commands", in: fixture)
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/source \(file)"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains("a.csv") && files.contains("b.csv"))
    screen.handle(.key(.redraw))
    #expect(screen.status.contains(" 1 of 100"), "\(screen.status)")
  }

  // MARK: Commands of the shell

  @Test func `an export goes into a command, and what that prints is shown`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/filter from:alice")
    screen.finish(screen.type("/export | wc -l"))
    #expect(screen.lines[0].trimmingCharacters(in: .whitespaces) == "50", "\(screen.terminal.picture)")
    screen.handle(.typed("q"))
    screen.finish(screen.type("/export --format md | cat >/dev/null"))
    #expect(screen.status == " gave 50 messages to 'cat >/dev/null'")
    #expect(
      try fixture.transcript("/export --format jsonl | head -2 | wc -l").trimmingCharacters(
        in: .whitespacesAndNewlines) == "2")
  }

  @Test(arguments: ["true", "head -1 >/dev/null", "exec 0<&-; sleep 0"])
  func `a command that reads no more ends quietly`(command: String) throws {
    let fixture = try StoreFixture(count: 5_000)
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/export | \(command)"))
    #expect(screen.status.hasPrefix(" gave "), "\(screen.status)")
    #expect(!screen.session.isTransferring)
  }

  @Test func `a command that fails says so, and nothing that is printed controls the terminal`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/export | cat >/dev/null; echo no room >&2; exit 3"))
    #expect(screen.status.contains("ended with status 3; no room"), "\(screen.status)")
    screen.finish(screen.type("/export | cat >/dev/null; printf '\\033]0;x\\007\\033[2J'"))
    #expect(screen.terminal.title == nil && screen.lines[0].contains("␛"))
    screen.handle(.typed("q"))
    for line in ["/export |", "/export x | wc", "/export --format | wc", "/export --format nosuch | wc"] {
      screen.type(line)
      #expect(!screen.session.isTransferring && !screen.status.contains("100 of"), "\(line)")
    }
  }

  @Test func `a command that goes on for ever is stopped by Ctrl-C`() throws {
    let fixture = try StoreFixture(count: 5_000)
    var screen = try fixture.screen(columns: 100)
    let outcome = screen.type("/export | sleep 1000")
    screen.finish(outcome, isCancelled: true)
    #expect(screen.status == " stopped" && !screen.session.isTransferring)
  }
}
