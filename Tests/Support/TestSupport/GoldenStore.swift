package import Foundation

/// Stores as the first version with their form wrote them. `Fixtures/make-store` made them, and none is made again.
package enum GoldenStore {
  /// The forms of which there is a store.
  package static let forms = [10]

  /// Unpacks the store of a form into a folder.
  ///
  /// - Returns: Its path.
  /// - Throws: What Foundation throws if it cannot be unpacked.
  package static func unpack(_ form: Int, into folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "tar -xzf \"$1\" -C \"$2\"", "unpack",
      GoldenFile.root.appending(path: "Fixtures/stores/form-\(form).tar.gz").path, folder.path,
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return folder.appending(path: "form-\(form).db").path
  }
}
