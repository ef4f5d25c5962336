import ChatSession
import Foundation
import ShellTesting
import Testing

/// The manual page says what `--help`, `/help` and `/set` say.
struct ManualTests {
  private let fixture: ShellFixture
  private let page: String

  init() throws {
    fixture = try ShellFixture(count: 1, environment: ["COLUMNS": "1000"])
    page = try fixture.run(["manual"]).output
  }

  /// The page as `man` shows it, in one line.
  private var shown: String {
    page.replacing("\\(aq", with: "'").replacing("\\(ga", with: "`").replacing("\\(ha", with: "^")
      .replacing("\\(ti", with: "~").replacing("\\(dq", with: "\"").replacing("\\-", with: "-")
      .replacing("\\e", with: "\\").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `it has each command, what that does, its options and its examples`() throws {
    let shown = shown
    for command in try commands(below: []) {
      let help = try fixture.run(command + ["--help"]).output
      for line in help.split(separator: "\n") where !line.hasPrefix("USAGE:") && line.last != ":" {
        // An option and what is said of it are parted in another way there.
        let parts = line.replacing("OVERVIEW: ", with: "").split(separator: "  ")
        for part in parts
        where !line.contains("  See '") && !part.contains("--help") && !part.contains("--version") {
          let words = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          let said = words.replacing(#/ \((values|default): .*\)$/#, with: "")
          if said.contains(" (default)") || said == "Show the version." || said == "Show help information." {
            continue
          }
          let isFlags = said.hasPrefix("--") && said.contains("/--")
          #expect(isFlags || shown.contains(said), "\(command): \(said)")
        }
      }
    }
  }

  @Test func `it names all functions of readline, all settings and all commands of the window`() {
    let shown = shown
    for function in KeyFunction.all {
      #expect(shown.contains(function.name) && shown.contains(function.shownKeys))
    }
    for setting in ReplSetting.all { #expect(shown.contains(setting.summary), "\(setting.name)") }
    for line in HelpText.commandLines {
      #expect(shown.contains(line.split(separator: " ").joined(separator: " ")))
    }
  }

  @Test func `no line of it is taken for a request, or has a letter that man lacks`() {
    let requests = Set([".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi", ".RS", ".RE"])
    for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
    #expect(!page.contains("\u{1B}") && page.hasPrefix(".TH SCROLLBACK 1"))
  }

  @Test func `/help keys names the functions behind the keys`() throws {
    let answer = try fixture.run([], input: "/help keys\n")
    for function in KeyFunction.all { #expect(answer.output.contains(function.name)) }
    #expect(try fixture.run(["--view"], input: "/help keys\n").output == answer.output)
  }

  private func commands(below command: [String]) throws -> [[String]] {
    let help = try fixture.run(command + ["--help"]).output
    let below = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    let names = below.prefix { $0.hasPrefix("  ") }.compactMap { line in
      line.dropFirst(2).first == " " || line.hasPrefix("  See '")
        ? nil : line.split(separator: " ").first.map(String.init)
    }
    return try [command] + names.flatMap { try commands(below: command + [$0]) }
  }
}
