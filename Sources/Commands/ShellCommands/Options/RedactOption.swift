internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import Redaction
internal import TerminalText

/// docs/redact.md
struct RedactOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replace what a file of rules names, or keys and tokens (secrets); docs/redact.md.", valueName: "rules"),
    completion: .file())
  var redact: String?

  private static let mostShown = 40
  private static let originals =
    "The store, its backups and archives, and earlier exports still contain the originals."

  func rules() throws(UsageError) -> RedactionRules? {
    guard let redact else { return nil }
    return try RedactionChoice.rules(redact)
  }

  /// Reports what was replaced and removed, and how often; as JSON if the other data is JSON.
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

private struct RedactionReport: Encodable {
  struct Entry: Encodable {
    let standIn: String
    let count: Int
  }

  let redacted: [Entry]
  let note: String
}
