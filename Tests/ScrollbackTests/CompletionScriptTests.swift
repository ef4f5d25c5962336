import Foundation
import ShellTesting
import TestSupport
import Testing

/// What a shell offers behind Tab.
struct CompletionScriptTests {
  /// Returns what bash offers for the last word of a line.
  private func offered(_ line: [String], _ fixture: ShellFixture) throws -> Set<String> {
    let words = line.map { "'\($0)'" }.joined(separator: " ")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [
      "-c",
      """
      source <(scrollback completions bash)
      COMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _scrollback scrollback "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """,
    ]
    process.currentDirectoryURL = fixture.folder
    process.environment = fixture.environment.merging([
      "PATH": "\(BuiltProduct.folder.path):/usr/bin:/bin"
    ]) { $1 }
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Set(text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
  }

  @Test func `values are completed: formats, conversations, senders, kinds, files`() throws {
    let fixture = try ShellFixture(count: 4)
    try fixture.run(["append", "-c", "other", "--create", "--from", "zoe", "hello"])
    #expect(
      try offered(["scrollback", "export", "--format", ""], fixture).isSuperset(of: ["jsonl", "html", "mbox"])
    )
    #expect(try offered(["scrollback", "import", "--format", "irc-u"], fixture) == ["irc-ubuntu"])
    #expect(try offered(["scrollback", "tail", "-c", ""], fixture) == ["general", "other"])
    #expect(try offered(["scrollback", "tail", "-c", "g"], fixture) == ["general"])
    #expect(try offered(["scrollback", "search", "--from", ""], fixture) == ["alice", "bob", "zoe"])
    #expect(try offered(["scrollback", "tail", "--kind", "to"], fixture) == ["tool", "topic"])
    #expect(try offered(["scrollback", "import", "hist"], fixture) == ["history.jsonl"])
    #expect(try offered(["scrollback", "export", "-o", "hist"], fixture) == ["history.jsonl"])
    #expect(try offered(["scrollback", "conversations", "delete", "o"], fixture) == ["other"])
    let nowhere = fixture.folder.path + "/none.db"
    #expect(try offered(["scrollback", "tail", "-s", nowhere, "-c", ""], fixture).subtracting([""]).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: nowhere))
  }

  @Test(arguments: ["zsh", "fish"]) func `other shells get the same values`(shell: String) throws {
    let fixture = try ShellFixture(count: 1)
    let script = try fixture.run(["completions", shell])
    #expect(script.status == 0 && script.output.contains("jsonl") && script.output.contains("irc-ubuntu"))
    #expect(script.output.contains("---completion"))
  }
}
