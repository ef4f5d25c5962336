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

  /// The other names of formats, and the endings of files.
  private static let otherNames = [
    "json": "jsonl", "txt": "text", "log": "text", "md": "markdown", "htm": "html",
  ]

  /// Returns the name of the format that people call so; `nil` if there is none.
  public static func name(of word: String) -> String? {
    let word = word.lowercased()
    return names.contains(word) ? word : otherNames[word]
  }

  /// Returns the name of the format that the name of a file tells by its ending; `nil` if it tells none.
  public static func name(ofFile path: String) -> String? {
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    return parts.count > 1 ? parts.last.flatMap { name(of: String($0)) } : nil
  }

  /// Returns a writer of the format that people call `name`.
  ///
  /// - Throws: ``InterchangeError`` that lists the names there are.
  public static func named(
    _ name: String, options: ExportOptions = ExportOptions()
  ) throws(InterchangeError) -> any ExportFormat {
    switch self.name(of: name) {
    case "jsonl": JSONLinesExport()
    case "csv": TableExport(.csv, options: options)
    case "tsv": TableExport(.tsv, options: options)
    case "text": TextExport(timeZone: options.timeZone)
    case "markdown": MarkdownExport(timeZone: options.timeZone)
    case "html": HTMLExport(timeZone: options.timeZone)
    case "mbox": MailboxExport()
    case .some, nil:
      throw InterchangeError(
        .unknownFormat, "unknown format '\(name)'", remedy: "one of: \(names.joined(separator: ", "))")
    }
  }
}
