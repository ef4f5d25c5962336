internal import Foundation
internal import HistoryTransfer
package import MessageInterchange
internal import MessageModel
package import MessageStorage
package import Redaction
internal import TerminalText

/// The formats of exports: files, and the site, which is a folder.
package enum ExportChoice {
  package static let names = ExportFormats.names + [siteName]

  package static let siteName = "site"

  /// The format of a file's extension; `nil` if it has none.
  ///
  /// Throws ``UsageError`` for an unknown extension: text in a `.docx` would open nowhere.
  package static func name(ofFile path: String) throws(UsageError) -> String? {
    if let name = ExportFormats.name(ofFile: path) { return name }
    guard !URL(fileURLWithPath: path).pathExtension.isEmpty else { return nil }
    throw unknown(path)
  }

  package static func unknown(_ path: String) -> UsageError {
    UsageError(
      "no format for the name '\(VisibleText.of(path, keepsTabs: false))'",
      remedy: "--format with one of: \(names.joined(separator: ", "))")
  }

  /// Throws ``UsageError`` with the available names.
  package static func writer(_ name: String, options: ExportOptions) throws(UsageError) -> any ExportFormat {
    do throws(InterchangeError) {
      return try ExportFormats.named(name, options: options)
    } catch {
      throw UsageError(error.summary, remedy: "one of: \(names.joined(separator: ", "))")
    }
  }
}

/// The value of `--redact`: a file of rules, or `secrets` (docs/redact.md).
package enum RedactionChoice {
  private static let secrets = "secrets"

  /// Throws ``UsageError`` if the file or a rule is invalid.
  package static func rules(_ name: String) throws(UsageError) -> RedactionRules {
    if name == secrets { return .secrets }
    let path = PathText.expanded(name)
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError(
        "cannot read the rules in '\(VisibleText.of(name, keepsTabs: false))'",
        cause: FileManager.default.fileExists(atPath: path) ? "it is not text" : "No such file or directory",
        remedy: "a file as docs/redact.md describes, or --redact secrets", status: .noSuchFile)
    }
    do throws(RedactionRules.Fault) {
      return try RedactionRules(text)
    } catch {
      let place = error.line > 0 ? ":\(error.line)" : ""
      throw UsageError(
        "cannot redact by '\(VisibleText.of(name, keepsTabs: false))\(place)'", cause: error.reason,
        remedy: "docs/redact.md has an example")
    }
  }

  /// For single answers.
  ///
  /// - Parameter askers: The recipients, for the error: `agents`.
  /// - Throws: ``UsageError`` for rules that apply to exports and sites only, ``StoreError`` if the senders
  ///   cannot be read.
  package static func redactor(
    _ rules: RedactionRules, of store: SynchronousMessageStore, answering askers: String
  ) throws -> Redactor {
    guard !rules.dropsAttachments, !rules.dropsIDs, !rules.givesDays else {
      throw UsageError(
        "cannot answer \(askers) without attachments, ids or times",
        cause: "the rules attachments, ids and times are for exports and sites",
        remedy: "rules with name, word, regex, senders and secrets alone")
    }
    return try HistoryRedaction.redactor(rules, of: store)
  }

  static func summary(of redactor: Redactor) -> String {
    let count = redactor.report.reduce(0) { $0 + $1.count }
    return count == 0
      ? "nothing to redact was found"
      : "redacted \(NumberText.counted(count, "time")); the store and its backups still contain the originals"
  }
}
