public import Foundation

/// A format that histories are written in.
///
/// The bytes are appended to a buffer, which the caller empties into a file or pipe.
public protocol ExportFormat: Sendable {
  /// Writes what precedes the first message.
  mutating func writeHeader(to bytes: inout [UInt8])
  /// Writes a message.
  mutating func write(_ record: ExportRecord, to bytes: inout [UInt8])
  /// Writes what follows the last message.
  mutating func writeFooter(to bytes: inout [UInt8])
}

extension ExportFormat {
  public mutating func writeHeader(to bytes: inout [UInt8]) {}
  public mutating func writeFooter(to bytes: inout [UInt8]) {}
}

/// The options of an export.
public struct ExportOptions: Sendable {
  /// The zone of the times in formats for people.
  public var timeZone: TimeZone
  /// Whether to put an apostrophe before cells that spreadsheets would take for formulas.
  public var defusesFormulas: Bool
  /// Whether HTML numbers its messages and ends with an account of their sources.
  package var numbersMessages = false

  /// Creates options.
  public init(timeZone: TimeZone = .current, defusesFormulas: Bool = false) {
    self.timeZone = timeZone
    self.defusesFormulas = defusesFormulas
  }
}

/// The formats that can be written.
public enum ExportFormats {
  /// The names that `--format` takes.
  public static let names = ["jsonl", "csv", "tsv", "text", "markdown", "html", "mbox"]

  /// Aliases and file extensions.
  private static let otherNames = [
    "json": "jsonl", "txt": "text", "log": "text", "md": "markdown", "htm": "html",
  ]

  /// The format's name for a name or alias in any case; `nil` if there is none.
  public static func name(of word: String) -> String? {
    let word = word.lowercased()
    return names.contains(word) ? word : otherNames[word]
  }

  /// The format for a file's extension; `nil` if there is none.
  public static func name(ofFile path: String) -> String? {
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    return parts.count > 1 ? parts.last.flatMap { name(of: String($0)) } : nil
  }

  /// Creates a writer of the format with this name or alias.
  ///
  /// - Throws: ``InterchangeError`` that lists the formats if `name` is unknown.
  public static func named(
    _ name: String, options: ExportOptions = ExportOptions()
  ) throws(InterchangeError) -> any ExportFormat {
    switch self.name(of: name) {
    case "jsonl": JSONLinesExport()
    case "csv": TableExport(.csv, options: options)
    case "tsv": TableExport(.tsv, options: options)
    case "text": TextExport(timeZone: options.timeZone)
    case "markdown": MarkdownExport(timeZone: options.timeZone)
    case "html": HTMLExport(timeZone: options.timeZone, isNumbered: options.numbersMessages)
    case "mbox": MailboxExport()
    case .some, nil:
      throw InterchangeError(
        .unknownFormat, "unknown format '\(name)'", remedy: "one of: \(names.joined(separator: ", "))")
    }
  }
}
