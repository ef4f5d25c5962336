import Foundation
import ShellTesting
import TestSupport
import Testing

struct VersionTests {
  @Test func `the version is the first line, and what the program was built of follows`() throws {
    let lines = try ShellFixture(count: 1).run(["--version"]).output.split(separator: "\n")
    let version = try #require(lines.first).split(separator: ".")
    #expect(version.count == 3 && version.allSatisfy { Int($0) != nil })
    #expect(lines.contains("store schema 10"))
    let libraries = try #require(lines.last).split(separator: " · ")
    #expect(
      libraries.contains { $0.hasPrefix("SQLite 3.") } && libraries.contains { $0.hasPrefix("PCRE2 10.") })
  }

  @Test func `each file that names the version names that of the program`() throws {
    let version = try #require(ShellFixture(count: 1).run(["--version"]).output.split(separator: "\n").first)
    for (file, name) in [
      ("CHANGELOG.md", "## [\(version)] - "), ("docs/openapi.json", "\"version\": \"\(version)\""),
      ("install.sh", "scrollback-\(version)-linux-x86_64.tar.xz"),
    ] {
      let text = try String(contentsOf: GoldenFile.root.appending(path: file), encoding: .utf8)
      #expect(text.contains(name), "\(file)")
    }
  }

  @Test func `a program that was packed tells the commit it was built of`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("note-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("scrollback").path
    try BuiltProduct.copy("scrollback", to: copy)
    let text = try shell("'\(GoldenFile.root.path)/.ci/note' '\(copy)' && '\(copy)' --version")
    let commit = try shell(
      "cd '\(GoldenFile.root.path)' && command -v objcopy >/dev/null && git rev-parse --short=12 HEAD || :")
    #expect(commit.isEmpty || text.contains("\ncommit \(commit.dropLast())"), "\(text)")
  }

  private func shell(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
