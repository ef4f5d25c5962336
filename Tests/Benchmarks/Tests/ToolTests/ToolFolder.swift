import Foundation

/// A folder of a test's own.
final class ToolFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
