internal import Foundation
package import MessageInterchange
internal import MessageModel

/// The formats that a history can be written in: those of files, and the site, which is a folder.
package enum ExportChoice {
  /// The names that `--format` takes.
  package static let names = ExportFormats.names + [siteName]

  /// The name of the site.
  package static let siteName = "site"

  /// Returns the name of the format that the ending of a file tells; `nil` if the file has none.
  ///
  /// - Throws: ``UsageError`` for an ending that is no format's: text in a `.docx` would open nowhere.
  package static func name(ofFile path: String) throws(UsageError) -> String? {
    if let name = ExportFormats.name(ofFile: path) { return name }
    guard !URL(fileURLWithPath: path).pathExtension.isEmpty else { return nil }
    throw unknown(path)
  }

  /// The error that a file says nothing of its format.
  package static func unknown(_ path: String) -> UsageError {
    UsageError(
      "no format for the name '\(VisibleText.of(path, keepsTabs: false))'",
      remedy: "--format with one of: \(names.joined(separator: ", "))")
  }

  /// Returns a writer of the format that people call `name`.
  ///
  /// - Throws: ``UsageError`` that lists the names there are.
  package static func writer(_ name: String, options: ExportOptions) throws(UsageError) -> any ExportFormat {
    do throws(InterchangeError) {
      return try ExportFormats.named(name, options: options)
    } catch {
      throw UsageError(error.summary, remedy: "one of: \(names.joined(separator: ", "))")
    }
  }
}
