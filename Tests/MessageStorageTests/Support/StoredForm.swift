import Foundation
import TestSupport

/// A copy of a store that a program of an earlier form has made, in a folder of its own.
///
/// Beside each among the fixtures lies the script that it was made with, `make-schema-N`.
final class StoredForm {
  let folder: URL
  var path: String { folder.appending(path: "store.db").path }

  init(_ form: Int) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: GoldenFile.root.appending(path: "Fixtures/stores/schema-\(form).db"), to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
