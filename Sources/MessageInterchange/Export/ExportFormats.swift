public import Foundation

/// The options of an export.
public struct ExportOptions: Sendable {
  /// The zone whose clock formats for people show.
  public var timeZone: TimeZone
  /// Whether cells of tables that spreadsheets would take for formulas get an apostrophe before them.
  public var defusesFormulas: Bool

  /// Creates options.
  public init(timeZone: TimeZone = .current, defusesFormulas: Bool = false) {
    self.timeZone = timeZone
    self.defusesFormulas = defusesFormulas
  }
}

/// All formats that can be written.
public enum ExportFormats {
  /// The names that `--format` takes.
  public static let names = ["jsonl", "csv", "tsv", "text", "markdown", "html", "mbox"]

  /// Returns a writer of the format called `name`.
  ///
  /// - Throws: ``InterchangeError`` that lists the names there are.
  public static func named(
    _ name: String, options: ExportOptions = ExportOptions()
  ) throws(InterchangeError) -> any ExportFormat {
    switch name {
    case "jsonl": JSONLinesExport()
    case "csv": TableExport(.csv, options: options)
    case "tsv": TableExport(.tsv, options: options)
    case "text": TextExport(timeZone: options.timeZone)
    case "markdown": MarkdownExport(timeZone: options.timeZone)
    case "html": HTMLExport(timeZone: options.timeZone)
    case "mbox": MailboxExport()
    default:
      throw InterchangeError(
        .unknownFormat, "no format is called '\(name)'", remedy: "one of: " + names.joined(separator: ", "))
    }
  }
}
