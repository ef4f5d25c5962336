import Foundation
import ShellTesting
import TestSupport
import Testing

/// What becomes of data that nobody takes.
struct OutputTests {
  /// Runs the program by the shell, its output going where `command` says, and returns its exit code and complaints.
  private func run(_ command: String, at fixture: ShellFixture) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command, BuiltProduct.path(of: "scrollback")]
    process.environment = fixture.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    process.standardError = errors
    try process.run()
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, complaints)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `data that finds no room ends the command with a sentence`() throws {
    let (status, errors) = try run(#""$0" export >/dev/full"#, at: try ShellFixture())
    #expect(status == 74 && errors.hasPrefix("scrollback: cannot write to standard output\n"))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: [
      "--help", "--version", "help", "help import", "import --help", "filters save -h", "completions bash",
      "conversations", "senders", "stats", "tail", "search message", "imports", "filters", "show 1 2",
      "--generate-completion-script bash", "export --format html",
    ])
  func `whatever is printed, no room for it is an error`(arguments: String) throws {
    let fixture = try ShellFixture(count: 3)
    try fixture.run(["filters", "save", "f", "--from", "alice"])
    let id = try #require(
      try fixture.run(["tail", "-n", "1", "--json"]).output.firstMatch(of: /"id":"(\d+)"/))
    let words = arguments.replacing("show 1 2", with: "show \(id.1)")
    let (status, errors) = try run(#""$0" \#(words) >/dev/full"#, at: fixture)
    #expect(status == 74 && errors.hasPrefix("scrollback: cannot write to standard output\n"), "\(errors)")
  }

  @Test(arguments: [
    ["tail", "--@"], ["tail", "-@"], ["tail", "--limit", "@"], ["tail", "--color", "@"],
    ["tail", "one", "@"],
    ["completions", "@"], ["open", "x@", "y@"], ["@"], ["help", "@"], ["export", "--format", "@"],
    ["undo", "@"],
    ["tail", "-c", "@"], ["tail", "-s", "/nowhere/@"], ["import", "@"], ["import", "--format", "@", "."],
    ["import", "--map", "@", "."], ["import", "--encoding", "@", "."], ["append", "--reply-to", "@", "x"],
    ["append", "--time", "@", "x"], ["tail", "--time-zone", "@"], ["tail", "--from", "@"],
    ["tail", "--kind", "@"],
    ["tail", "--has", "@"], ["tail", "--filter", "@"], ["tail", "--since", "@"],
    ["export", "-o", "/nowhere/@"],
    ["search", "--regex", "(@"], ["restore", "@"], ["backup", "/nowhere/@"],
    ["conversations", "rename", "@", "x"],
    ["conversations", "delete", "@"], ["senders", "alias", "@", "@"], ["filters", "delete", "@"],
    ["show", "@"],
    ["edit", "@", "x"], ["delete", "@"], ["attach", "1", "@"], ["save", "1", "@"],
    ["filters", "save", "@:", "x"],
    ["migrate", "--source", "@"], ["open", "--trace-latency", "/nowhere/@"], ["import", "--date", "@", "."],
  ])
  func `no complaint controls the terminal`(arguments: [String]) throws {
    let attack = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}"
    let fixture = try ShellFixture(count: 3)
    let run = try fixture.run(arguments.map { $0.replacing("@", with: attack) })
    let hidden = (run.output + run.errors).unicodeScalars.filter {
      $0.value < 0x20 && !"\t\n".unicodeScalars.contains($0) || (0x7F...0x9F).contains($0.value)
        || (0x202A...0x202E).contains($0.value)
    }
    #expect(hidden.isEmpty, "\(run.errors)")
  }

  @Test func `what the environment says is as harmless in complaints`() throws {
    let attack = "\u{1B}]0;owned\u{7}"
    let fixture = try ShellFixture(count: 1)
    for (name, arguments) in [
      ("SCROLLBACK_STORE", ["tail"]), ("XDG_DATA_HOME", ["tail"]), ("HOME", ["tail"]),
      ("USER", ["append", "hi"]),
      ("TZ", ["tail"]), ("TERM", ["tail"]),
    ] {
      let script =
        #"unset SCROLLBACK_STORE; export \#(name)="/$EVIL"; "$0" \#(arguments.joined(separator: " "))"#
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script, BuiltProduct.path(of: "scrollback")]
      process.environment = fixture.environment.merging(["EVIL": attack, "PATH": "/usr/bin:/bin"]) { $1 }
      (process.standardError, process.standardOutput) = (output, output)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"), "\(name): \(text)")
    }
  }

  @Test(arguments: ["", "trap '' PIPE; "])
  func `a reader that goes away ends the command without a word`(trap: String) throws {
    let fixture = try ShellFixture(count: 5_000)
    let (status, errors) = try run(
      trap + #"{ "$0" export; echo $? >&2; } | head -n 1 >/dev/null"#, at: fixture)
    #expect(status == 0 && errors == "141\n")
  }

  @Test(arguments: ["jsonl", "csv", "tsv", "text", "markdown", "html", "mbox"])
  func `an export stops quietly when its reader goes away`(format: String) throws {
    let fixture = try ShellFixture(count: 3_000, texts: [String(repeating: "long ", count: 40_000)])
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let program = BuiltProduct.path(of: "scrollback")
    shell.arguments = ["-c", "{ '\(program)' export --format \(format); echo $? >&2; } | head -n 1"]
    shell.environment = fixture.environment
    let (output, errors) = (Pipe(), Pipe())
    (shell.standardOutput, shell.standardError) = (output, errors)
    try shell.run()
    _ = output.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(said == "141\n")
  }
}
