import Foundation
import MessageModel
import TestSupport

/// The program that a finding is of, and when it was measured.
struct Origin: Codable, Hashable {
  /// The commit that the program was built of, with `-dirty` if something was changed beside it; `nil` where nobody knows.
  var commit: String?
  /// When it was measured, as 2026-11-24T13:15:00Z.
  var time: String
  /// The thoroughness of the run.
  var depth: Depth

  /// Returns the origin of what is measured now by the programs that lie beside this one.
  static func now(_ depth: Depth) -> Origin {
    Origin(commit: checkout, time: Date.now.formatted(.iso8601), depth: depth)
  }

  /// Returns the latest origin of some findings; `nil` if none has one.
  static func newest(of findings: [Finding]) -> Origin? {
    findings.compactMap(\.origin).max { $0.time < $1.time }
  }

  /// How the page names it.
  var text: String {
    let day = time.prefix(10)
    return commit.map { "commit \($0) (\(day))" } ?? "a commit that nobody knows (\(day))"
  }

  private static var checkout: String? {
    guard let git = Program.installed("git") else { return nil }
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("commit-\(UUID().uuidString)")
      .path
    defer { unlink(output) }
    var program = Program(git, "describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*")
    program.output = output
    guard (try? program.run()) != nil, let text = try? String(contentsOfFile: output, encoding: .utf8) else {
      return nil
    }
    let commit = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return commit.isEmpty ? nil : commit
  }

  /// What tells the programs that are measured from those of another build, for the names of kept results.
  static var buildKey: String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for name in ["scrollback", "scrollback-bench"] {
      var status = stat()
      stat(BuiltProduct.path(of: name), &status)
      #if os(Linux)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      for number in [Int(status.st_size), time.tv_sec, time.tv_nsec] {
        hash = (hash ^ UInt64(truncatingIfNeeded: number)) &* 1_099_511_628_211
      }
    }
    return String(hash, radix: 36)
  }
}
