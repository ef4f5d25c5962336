public import Foundation

/// All formats that can be written.
public enum ExportFormats {
  /// The names that `--format` takes.
  public static let names = ["jsonl", "text"]

  /// Returns a writer of the format called `name`.
  ///
  /// - Parameter timeZone: The zone whose clock formats for people show.
  /// - Throws: ``InterchangeError`` that lists the names there are.
  public static func named(
    _ name: String, timeZone: TimeZone = .current
  ) throws(InterchangeError) -> any ExportFormat {
    switch name {
    case "jsonl": JSONLinesExport()
    case "text": TextExport(timeZone: timeZone)
    default:
      throw InterchangeError(
        .unknownFormat, "no format is called '\(name)'", remedy: "one of: " + names.joined(separator: ", "))
    }
  }
}
