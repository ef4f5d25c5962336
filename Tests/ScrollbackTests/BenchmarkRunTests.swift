import Foundation
import TestSupport
import Testing

struct BenchmarkRunTests {
  private let fixture: FailingStoreFixture

  init() throws { fixture = try FailingStoreFixture() }

  @Test func `a full run measures anew what a quick one has measured`() throws {
    #expect(try run("--size", "100").contains("A quick run"))
    #expect(results == ["results-follower-100-quick.json"])
    #expect(try !run("--size", "100", "--full").contains("A quick run"))
    #expect(results == ["results-follower-100-quick.json", "results-follower-100.json"])
  }

  @Test func `a run goes on where it was stopped`() throws {
    let first = try run("--size", "100")
    #expect(try run("--size", "100") == first)
  }

  /// What was measured and kept.
  private var results: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)) ?? []
    return files.filter { $0.hasPrefix("results-") }.sorted()
  }

  /// Measures one group of scenarios, and returns what is printed.
  private func run(_ arguments: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-bench"))
    process.arguments = ["run", "--only", "follower", "--folder", fixture.folder.path] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
  }
}
