package import Foundation

/// A file that holds what a program is expected to show, word for word.
package struct GoldenFile {
  private let path: String

  /// Names the file at `path`.
  package init(_ path: String) { self.path = path }

  /// Names a file in the folder `Fixtures` of this package.
  package init(fixture name: String) { self.init(Self.root.appending(path: "Fixtures/\(name)").path) }

  /// The folder of this package.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns docs/json.md and the pages in docs/json as one text, each page from the beginning of a line.
  ///
  /// - Throws: What Foundation throws if one of them cannot be read.
  package static func jsonPages() throws -> String {
    let folder = root.appending(path: "docs/json")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let pages = [root.appending(path: "docs/json.md")] + names.map { folder.appending(path: $0) }
    return try pages.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
  }

  /// Returns how `picture` differs from the file, line by line; `nil` if it does not.
  ///
  /// With `RECORD_GOLDEN=1` in the environment a file that differs, or is not there, is written anew instead.
  ///
  /// - Parameter comparable: What of a text is compared, for texts that tell times and the like.
  /// - Throws: What Foundation throws if the file cannot be read, or written.
  package func difference(
    from picture: String, comparing comparable: (String) -> String = { $0 }
  ) throws -> String? {
    let isRecording = Self.isRecording
    if isRecording, !FileManager.default.fileExists(atPath: path) { try write(picture) }
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    let (expected, actual) = (comparable(golden), comparable(picture))
    guard expected != actual else { return nil }
    guard !isRecording else {
      try write(picture)
      return nil
    }
    return "\(path) (RECORD_GOLDEN=1 writes it anew):\n"
      + LineDifference.text(expected: expected, actual: actual)
  }

  /// Returns how an interface differs from the file that records it; `nil` if it does not.
  ///
  /// Scripts and programs rely on each recorded line. So `RECORD_GOLDEN=1` adds lines and removes none.
  ///
  /// - Parameters:
  ///   - lines: The interface, a line for each thing that it promises.
  ///   - title: The first line of the file.
  /// - Throws: What Foundation throws if the file cannot be read, or written.
  package func difference(fromInterface lines: [String], titled title: String) throws -> String? {
    let text =
      FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
    let recorded = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("# ") }.sorted()
    let changes = lines.sorted().difference(from: recorded)
    let (gone, new) = (Self.elements(of: changes.removals), Self.elements(of: changes.insertions))
    if Self.isRecording, !new.isEmpty {
      try write((["# \(title)", ""] + (recorded + new).sorted()).joined(separator: "\n") + "\n")
    }
    var faults: [String] = []
    if !gone.isEmpty {
      faults.append(
        "version 1 promises these lines, which are gone or changed; keep them beside what is new, or see"
          + " docs/interfaces.md:\n\(gone.joined(separator: "\n"))")
    }
    if !Self.isRecording, !new.isEmpty {
      faults.append("these lines are new; RECORD_GOLDEN=1 adds them:\n\(new.joined(separator: "\n"))")
    }
    return faults.isEmpty ? nil : faults.map { "\(path): \($0)" }.joined(separator: "\n")
  }

  private static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" }

  private static func elements(of changes: [CollectionDifference<String>.Change]) -> [String] {
    changes.map { change in
      switch change {
      case .insert(_, let element, _), .remove(_, let element, _): element
      }
    }
  }

  private func write(_ picture: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(picture.utf8).write(to: URL(filePath: path))
  }
}
