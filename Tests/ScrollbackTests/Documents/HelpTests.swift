import Foundation
import ShellTesting
import TestSupport
import Testing

/// What commands say of themselves, word for word.
struct HelpTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 1, environment: ["COLUMNS": "80"]) }

  @Test func `--help of each command is what it was`() throws {
    try expectGolden(try help(of: []), GoldenFile(fixture: "help/commands.golden"))
  }

  @Test func `/help, and /help of each command, are what they were`() throws {
    let list = try printed("/help")
    let commands = list.split(separator: "\n").flatMap {
      $0.matches(of: /\/([a-z]+)/).map { String($0.1) }
    }
    let names = commands.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    #expect(Set(names).isSuperset(of: ["goto", "search", "filter", "quit"]))
    let all = try names.map { "/help \($0)\n\n" + (try printed("/help \($0)")) }
    try expectGolden(
      (["/help\n\n" + list] + all).joined(separator: "\n"), GoldenFile(fixture: "help/repl.golden"))
  }

  /// What a command and the commands below it say of themselves.
  private func help(of command: [String]) throws -> String {
    let answer = try fixture.run(command + ["--help"])
    #expect(answer.status == 0 && answer.errors.isEmpty, "\(command): \(answer.errors)")
    let title = (["scrollback"] + command + ["--help"]).joined(separator: " ")
    let below = answer.output.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    let names = below.prefix { $0.hasPrefix("  ") }.compactMap { line in
      line.dropFirst(2).first == " " || line.hasPrefix("  See '")
        ? nil : line.split(separator: " ").first.map(String.init)
    }
    let rest = try names.map { try help(of: command + [$0]) }
    return (["$ \(title)\n\n\(answer.output)\n"] + rest).joined()
  }

  /// What a command of the REPL prints in a script.
  private func printed(_ line: String) throws -> String {
    let answer = try fixture.run(["-c", "general"], input: line + "\n")
    #expect(answer.status == 0 && answer.errors.isEmpty, "\(line): \(answer.errors)")
    return answer.output
  }
}
