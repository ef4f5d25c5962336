import Foundation
import MessageStorage
import TestSupport
import Testing

struct BenchmarkRunTests {
  private let folder: ToolFolder

  init() throws { folder = try ToolFolder() }

  @Test func `a full run measures anew what a quick one has measured`() throws {
    #expect(try run("--size", "100").contains("A quick run"))
    #expect(results.count == 1)
    #expect(try !run("--size", "100", "--full").contains("A quick run"))
    #expect(results.count == 2)
    #expect(results.filter { $0.contains("-quick-") }.count == 1)
  }

  @Test func `a run goes on where it was stopped`() throws {
    let first = try run("--size", "100")
    #expect(try run("--size", "100") == first)
  }

  @Test func `a trial tells no times and keeps none`() throws {
    #expect(try run("--size", "100", "--trial") == "1 scenarios run at 100 messages\n")
    #expect(try run("--size", "100", "--trial") == "1 scenarios run at 100 messages\n")
    let report = folder.url.appending(path: "report").path
    #expect(try ToolRun("scrollback-bench", "run", "--trial", "--report", report).status != 0)
  }

  @Test func `a report keeps what was not measured and says that it is of an older program`() throws {
    let report = folder.url.appending(path: "report")
    _ = try run("--size", "100", "--report", report.path)
    let results = report.appending(path: "results.json")
    let old = try String(contentsOf: results, encoding: .utf8)
      .replacing(/"size" : 100/, with: "\"size\" : 5000")
      .replacing(/"time" : "[^"]*"/, with: "\"time\" : \"2020-01-01T00:00:00Z\"")
      .replacing(/"commit" : "[^"]*"/, with: "\"commit\" : \"0ldc0mm17\"")
    try Data(old.utf8).write(to: results)
    _ = try run("--size", "100", "--report", report.path)
    let page = try String(contentsOf: report.appending(path: "tables.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n## ")
    #expect(
      parts.contains {
        $0.hasPrefix(
          "5000 messages\n\n**Of an older program**, measured by a quick run at commit 0ldc0mm17")
      })
    #expect(parts.contains { $0.hasPrefix("100 messages\n\nMeasured by a quick run at ") })
  }

  @Test func `a part of a story that fails tells why`() throws {
    let store = folder.url.appending(path: "store-10-1-\(SynchronousMessageStore.formKey.prefix(8)).db")
    try Data("this was never a store, and it is too long to be an empty one".utf8).write(to: store)
    let run = try ToolRun("scrollback-bench", "story", "rows", "--size", "10", "--folder", folder.url.path)
    #expect(run.status == 1)
    #expect(run.complaint.contains("story-part rowsNaively"))
    #expect(run.complaint.contains("file is not a database"))
  }

  /// What was measured and kept.
  private var results: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
    return files.filter { $0.hasPrefix("results-") }.sorted()
  }

  /// Measures one group of scenarios, and returns what is printed.
  private func run(_ arguments: String...) throws -> String {
    let run = try ToolRun(
      "scrollback-bench", ["run", "--only", "follower", "--folder", folder.url.path] + arguments)
    try #require(run.status == 0)
    return run.output
  }
}
