import Foundation
import TestSupport
import Testing

/// The files of the project that tests read.
enum Fixture {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The path of a file or folder in `Fixtures`.
  static func path(_ name: String) -> String { root.appending(path: "Fixtures").appending(path: name).path }

  /// The path of a folder of histories beside the project, which only some machines have.
  static func shared(_ name: String) -> String {
    root.deletingLastPathComponent().appending(path: "shared/data").appending(path: name).path
  }

  static func hasShared(_ name: String) -> Bool { FileManager.default.fileExists(atPath: shared(name)) }

  /// Calls `body` with the path of a new folder, which is gone afterwards.
  static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }

  static func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }
}

/// Expects `picture` to be what the file `Fixtures/<name>` holds; with `RECORD_GOLDEN=1` writes it there instead.
func expectGolden(
  _ picture: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let difference = try GoldenFile(fixture: name).difference(from: picture)
  #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
}
