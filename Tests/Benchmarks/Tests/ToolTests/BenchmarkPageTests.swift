import Foundation
import TestSupport
import Testing

/// The page of benchmarks is what was measured.
struct BenchmarkPageTests {
  @Test func `the page of benchmarks and its pictures are made of results.json`() throws {
    let folder = try ToolFolder()
    let committed = GoldenFile.root.appending(path: "docs/benchmarks")
    for name in ["results.json", "README.md"] {
      try FileManager.default.copyItem(
        at: committed.appending(path: name), to: folder.url.appending(path: name))
    }
    #expect(try ToolRun("scrollback-bench", "report", folder.url.path).status == 0)
    let made = try pictures(in: folder.url)
    #expect(try pictures(in: committed) == made)
    for name in made + ["README.md", "tables.md"] {
      let picture = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
      let golden = GoldenFile(committed.appending(path: name).path)
      #expect(try golden.difference(from: picture) == nil)
    }
  }

  private func pictures(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".svg") }.sorted()
  }
}
