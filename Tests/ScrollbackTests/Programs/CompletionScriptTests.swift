import Foundation
import ShellTesting
import TestSupport
import Testing

/// Tab in real shells, over a history with names that mean something to a shell.
struct CompletionScriptTests {
  /// A shell that programs are completed in.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Where it is; `nil` if it is not installed.
    var path: String? {
      ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(rawValue)" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    var arguments: [String] {
      switch self {
      case .bash: ["--norc", "--noprofile", "-i"]
      case .zsh: ["-f", "-i"]
      case .fish: ["--no-config", "-i"]
      }
    }

    /// What readies it, and says so.
    var preparation: String {
      switch self {
      case .bash: "PS1='> '; source <(scrollback completions bash); echo rea''dy"
      case .zsh:
        "PS1='> '; autoload -U compinit; compinit -u -D; source <(scrollback completions zsh); echo rea''dy"
      case .fish: "function fish_prompt; echo '> '; end; scrollback completions fish | source; echo rea''dy"
      }
    }
  }

  /// What is typed, and the name that it becomes.
  private static let names: [(typed: String, name: String)] = [
    ("a", "a tea $(touch PWNED-1)"), ("b", "b `touch PWNED-2`"), ("c", "c > PWNED-3; touch PWNED-4 &"),
    ("d", "d it's \"quoted\" * ~ \\"), ("-", "-o"), ("\\*", "*"), ("\\~", "~"),
    ("'e", "e $(touch PWNED-5) 'x'"),
    ("\"f", "f $(touch PWNED-6) \"x\" `touch PWNED-7`"), ("h", "h über #1 {a,b} [x] !!"),
  ]

  private static func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(count: 1)
    let more = ["z two\nlines $(touch PWNED-8)"]
    for name in names.map(\.name) + more {
      try fixture.run(["append", "-c", name, "--create", "--from", "\(name) $(touch PWNED-9)", "words"])
    }
    return fixture
  }

  private func terminal(_ shell: Shell, _ path: String, in fixture: ShellFixture) throws -> PseudoTerminal {
    let environment = fixture.environment.merging([
      "PATH": "\(BuiltProduct.folder.path):/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin",
      "SCROLLBACK_STORE": fixture.store, "FOLDER": fixture.folder.path,
    ]) { $1 }
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-c", "cd \"$FOLDER\" && exec \"$0\" \"$@\"", path] + shell.arguments,
      environment: environment, rows: 60, columns: 160)
    terminal.belongings = fixture
    try terminal.type(shell.preparation + "\r")
    try terminal.wait(for: "ready")
    return terminal
  }

  @Test(arguments: Shell.allCases)
  func `names are offered and completed as they are, and nothing in them is run`(shell: Shell) throws {
    guard let path = shell.path else {
      print("skipped: there is no \(shell.rawValue) here")
      return
    }
    let fixture = try Self.fixture()
    let terminal = try terminal(shell, path, in: fixture)
    // Keys that come while a word is looked up wait for it.
    for (typed, name) in Self.names {
      try terminal.type("scrollback tail -c \(typed)\t\u{1}printf '<%s>' \r")
      try terminal.wait(for: "<scrollback><tail><-c><\(name)>")
      try terminal.type("clear\r")
      try terminal.wait(for: "a clear screen") { !$0.contains("<scrollback>") }
    }
    // All of them: a list, which a key may end.
    for option in ["-c", "--from"] { try terminal.type("scrollback tail \(option) \t\t\u{3}\r") }
    try terminal.type("scrollback tail --text-only -c a\t\r")
    try terminal.wait(for: "words")
    let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(files.filter { $0.hasPrefix("PWNED") }.isEmpty)
  }

  @Test(arguments: Shell.allCases)
  func `commands, options and files are completed`(shell: Shell) throws {
    guard let path = shell.path else {
      print("skipped: there is no \(shell.rawValue) here")
      return
    }
    let fixture = try ShellFixture(count: 1)
    let terminal = try terminal(shell, path, in: fixture)
    for (typed, words) in [
      ("sea", "<search>"), ("-c gen", "<-c><general>"), ("help conv", "<help><conversations>"),
      ("--color alw", "<--color><always>"), ("import hist", "<import><history.jsonl>"),
      ("export --format mark", "<export><--format><markdown>"), ("tail --text-o", "<tail><--text-only>"),
    ] {
      try terminal.type("scrollback \(typed)\t\u{1}printf '<%s>' \r")
      try terminal.wait(for: "<scrollback>\(words)")
    }
  }

  @Test func `a script of an earlier version gets no name that means anything to bash`() throws {
    let fixture = try ShellFixture(count: 1, environment: ["SAP_SHELL": "bash"])
    try fixture.run(["append", "-c", "tea $(touch PWNED)", "--create", "words"])
    let answer = try fixture.runProcess(
      ["---completion", "tail", "--", "--conversation", "3", "0", "scrollback", "tail", "-c", ""])
    #expect(answer.output.contains("general") && !answer.output.contains("touch"))
  }
}
