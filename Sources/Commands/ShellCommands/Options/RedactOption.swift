internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import Redaction
internal import TerminalText

/// The option that takes out of what is written what is not for others (docs/redact.md).
struct RedactOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replace what a file of rules names, or keys and tokens (secrets); docs/redact.md.", valueName: "rules"),
    completion: .file())
  var redact: String?

  private static let mostShown = 40
  private static let originals =
    "The store, its backups and archives, and earlier exports still contain the originals."

  /// Returns the rules; `nil` if nothing is to be replaced.
  ///
  /// - Throws: ``UsageError`` if the file cannot be read, or a rule of it makes no sense.
  func rules() throws(UsageError) -> RedactionRules? {
    guard let redact else { return nil }
    return try RedactionChoice.rules(redact)
  }

  /// Says what was replaced and left out, and how often; as an object of JSON if other data is JSON, too.
  static func tell(_ redactor: Redactor, asJSON: Bool, _ console: Console) throws {
    let report = redactor.report
    guard asJSON else {
      let total = NumberText.counted(report.reduce(0) { $0 + $1.count }, "time")
      guard !report.isEmpty else { return console.note("redacted: nothing was found") }
      let lines = report.prefix(mostShown).map { "  \(NumberText.grouped($0.count))  \($0.what)" }
      let rest = report.count > mostShown ? ["  … and \(report.count - mostShown) more"] : []
      return console.note((["redacted \(total):"] + lines + rest + [originals]).joined(separator: "\n"))
    }
    let answer = RedactionReport(
      redacted: report.map { .init(standIn: $0.what, count: $0.count) }, note: originals)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    console.complain(String(decoding: try encoder.encode(answer), as: UTF8.self))
  }
}

/// The report of replacements, for programs.
private struct RedactionReport: Encodable {
  struct Entry: Encodable {
    let standIn: String
    let count: Int
  }

  let redacted: [Entry]
  let note: String
}
