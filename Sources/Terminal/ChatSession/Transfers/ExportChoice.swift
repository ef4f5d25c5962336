internal import Foundation
package import MessageInterchange
internal import MessageModel

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
