import Foundation
import ShellTesting
import Testing

/// What the scripts of the shells are answered.
struct CompletingTests {
  private static let all = [
    "general", "lighthouse", "-o", "two words", "tea $(touch PWNED)",
  ]

  private static func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(count: 1)
    for name in all.dropFirst() {
      try fixture.run(["append", "-c", name, "--create", "--from", "zoe", "in \(name)"])
    }
    return fixture
  }

  /// Returns what zsh is answered for the last of some words: where words come from, and the words.
  private func answer(_ words: String..., in fixture: ShellFixture) throws -> (kind: String, words: [String])
  {
    let lines = try fixture.run(["---complete", "zsh"] + words).output.split(separator: "\n")
    return (
      String(lines.first ?? ""), lines.dropFirst().map { String($0.prefix { $0 != "\t" }) }
    )
  }

  @Test func `options of all commands stand before the command, or without one`() throws {
    let fixture = try Self.fixture()
    let store = fixture.store
    #expect(try Set(answer("-s", store, "-c", "", in: fixture).words) == Set(Self.all))
    #expect(try answer("--color", "", in: fixture).words == ["auto", "always", "never"])
    #expect(try answer("--color=", in: fixture).words == ["--color=auto", "--color=always", "--color=never"])
    #expect(try answer("-s", "", in: fixture).kind == "files")
    #expect(try answer("-s", store, "tail", "-c", "", in: fixture).words.count == Self.all.count)
    #expect(try answer("-s", store, "", in: fixture).words.contains("tail"))
    #expect(try answer("--vi", in: fixture).words == ["--view"])
    #expect(try !answer("tail", "--vi", in: fixture).words.contains("--view"))
  }

  @Test func `a conversation is named alone, where no command begins so`() throws {
    let fixture = try Self.fixture()
    #expect(try answer("-s", fixture.store, "--view", "li", in: fixture).words.contains("lighthouse"))
    #expect(try answer("-s", fixture.store, "lighth", in: fixture).words.contains("lighthouse"))
    #expect(try answer("-s", fixture.store, "sea", in: fixture).words.contains("search"))
    // It would be read as an option there, and as a name behind the end of options.
    #expect(try !answer("-s", fixture.store, "open", "", in: fixture).words.contains("-o"))
    #expect(try answer("open", "-s", fixture.store, "--", "", in: fixture).words.contains("-o"))
  }

  @Test func `help is completed by the commands, and those below them`() throws {
    let fixture = try Self.fixture()
    #expect(try Set(answer("help", "", in: fixture).words).isSuperset(of: ["tail", "conversations"]))
    #expect(
      try Set(answer("help", "conversations", "", in: fixture).words) == [
        "list", "rename", "merge", "delete",
      ])
  }

  @Test func `each argument has values of its own, and flags are offered once`() throws {
    let fixture = try Self.fixture()
    let store = fixture.store
    #expect(
      try answer("conversations", "rename", "-s", store, "li", in: fixture).words.contains("lighthouse"))
    #expect(try answer("conversations", "rename", "-s", store, "general", "", in: fixture).words.isEmpty)
    #expect(try answer("save", "1", "", in: fixture).kind == "folders")
    #expect(try answer("import", "a", "b", "", in: fixture).kind == "files")
    #expect(try answer("tail", "--json", "--js", in: fixture).words.isEmpty)
    #expect(try answer("tail", "-s", store, "--from", "", in: fixture).words.contains("zoe"))
    #expect(try answer("tail", "-s", store, "-cli", in: fixture).words.contains("-clighthouse"))
  }

  @Test func `bash is answered with what is to be typed, quoted as the line asks for`() throws {
    let fixture = try Self.fixture()
    func rests(_ typed: String) throws -> [String] {
      try fixture.run(["---complete", "bash", "scrollback -s '\(fixture.store)' tail -c \(typed)"]).output
        .split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
    }
    #expect(try rests("tw") == [#"o\ words"#])
    #expect(try rests("'tw") == ["o words"])
    #expect(try rests("te") == [#"a\ \$\(touch\ PWNED\)"#])
    #expect(try rests("\"tea $") == [])
    #expect(try rests(#""tea \$"#) == ["(touch PWNED)"])
  }

  @Test func `a name that begins as an option does is one behind the option that names it`() throws {
    let fixture = try Self.fixture()
    #expect(try fixture.run(["tail", "-c", "-o"]).output.contains("in -o"))
    #expect(try fixture.run(["search", "-c", "-o", "--from", "zoe", "in"]).output.contains("in -o"))
  }

  @Test func `no script lets a shell evaluate names, however it is asked for`() throws {
    let fixture = try ShellFixture(count: 0)
    for shell in ["bash", "zsh", "fish"] {
      let script = try fixture.run(["completions", shell])
      #expect(script.status == 0 && script.output.contains("---complete \(shell)"))
      #expect(!script.output.contains("compgen") && !script.output.contains("eval "))
      #expect(try fixture.run(["--generate-completion-script", shell]).output == script.output)
      #expect(try fixture.run(["--generate-completion-script=\(shell)"]).output == script.output)
    }
  }
}
