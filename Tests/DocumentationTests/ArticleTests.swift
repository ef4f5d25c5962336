import Foundation
import TestSupport
import Testing

/// The samples of articles are parts of tests that run: the tests have them, and articles quote them word for word.
@Suite struct ArticleTests {
  @Test(arguments: try Article.all) func `an article quotes what a test runs`(article: Article) throws {
    let samples = try article.samples
    #expect(article.blocks.count == samples.count)
    let difference = try GoldenFile(article.path).difference(from: article.quoting(samples))
    #expect(difference == nil)
  }

  @Test func `getting started takes less than thirty lines of code`() throws {
    let article = try #require(try Article.all.first { $0.name == "GettingStarted" })
    let lines = article.blocks.joined().filter { !$0.isEmpty }
    #expect((1..<30).contains(lines.count))
  }

  @Test func `no page has a listing that no test runs`() throws {
    let known = Set(try Article.all.map(\.path))
    for folder in ["docs", "Sources", "Examples", "."] {
      let root = GoldenFile.root.appending(path: folder)
      let names =
        folder == "."
        ? try FileManager.default.contentsOfDirectory(atPath: root.path)
        : try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { !$0.contains(".build") }
      for name in names where name.hasSuffix(".md") {
        let page = try Article(root.appending(path: name).standardizedFileURL)
        let fences = page.lines.filter { $0.drop { $0 == " " }.lowercased().hasPrefix("```swift") }
        #expect(fences.allSatisfy { $0 == "```swift" }, "\(name)")
        #expect(fences.isEmpty || known.contains(page.path), "\(name)")
      }
    }
  }

  @Test func `the index of packages makes the documentation of every library`() throws {
    let manifest = try String(contentsOf: GoldenFile.root.appending(path: "Package.swift"), encoding: .utf8)
    let libraries = Set(manifest.matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) })
    let index = try String(contentsOf: GoldenFile.root.appending(path: ".spi.yml"), encoding: .utf8)
    let targets = try #require(index.firstMatch(of: /documentation_targets: \[(.*)\]/)).1.split(
      separator: ", "
    ).map(String.init)
    // One is for the tools of this repository alone.
    #expect(Set(targets) == libraries.subtracting(["ScrollbackParts"]) && targets.count == Set(targets).count)
  }

  @Test func `the first page leads to all articles`() throws {
    let others = ["ScrollbackKit", "libraries"]
    let names = try Article.all.map(\.name).filter { !others.contains($0) }
    let first = try #require(try Article.all.first { $0.name == "ScrollbackKit" })
    for name in names { #expect(first.lines.contains("- <doc:\(name)>")) }
  }
}

/// A page of the documentation, and the file of tests that has its samples.
struct Article: CustomTestStringConvertible, Sendable {
  let path: String
  let lines: [String]

  private static let fence = "```swift"

  init(_ file: URL) throws {
    path = file.path
    lines = try Self.lines(of: file)
  }

  /// All articles, and the page on the libraries.
  static var all: [Article] {
    get throws {
      let folder = GoldenFile.root.appending(path: "Sources/Kit/ScrollbackKit/ScrollbackKit.docc")
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
      let page = GoldenFile.root.appending(path: "docs/libraries.md")
      return try (files + [page]).map(Article.init)
    }
  }

  var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  /// The lines of each block of Swift.
  var blocks: [ArraySlice<String>] { blockRanges.map { lines[$0] } }

  /// The samples of the tests: what stands between `// sample` and `// end`, without what all lines are indented by.
  var samples: [[String]] {
    get throws {
      var samples: [[String]] = []
      var rest = try sampleFiles.flatMap(Self.lines(of:))[...]
      while let start = rest.firstIndex(where: { $0.hasSuffix("// sample") }) {
        let end = try #require(rest[start...].firstIndex { $0.hasSuffix("// end") })
        samples.append(Self.unindented(rest[(start + 1)..<end]))
        rest = rest[(end + 1)...]
      }
      return samples
    }
  }

  /// The files with its samples: the one that is called as it is, and before it those called so, too, with a `+` behind. An
  /// example's own file may be one of them, by a link.
  private var sampleFiles: [URL] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { file in [".swift", "+"].contains { file.lastPathComponent.hasPrefix(name + $0) } }
        .sorted { $0.path < $1.path }
    }
  }

  /// The page with these samples in the places of its blocks.
  func quoting(_ samples: [[String]]) -> String {
    var made = lines
    for (range, sample) in zip(blockRanges, samples).reversed() { made.replaceSubrange(range, with: sample) }
    return made.joined(separator: "\n")
  }

  private var blockRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      if line == Self.fence {
        start = index + 1
      } else if line == "```", let begun = start {
        ranges.append(begun..<index)
        start = nil
      }
    }
    return ranges
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private static func unindented(_ lines: ArraySlice<String>) -> [String] {
    let indents = lines.filter { !$0.isEmpty }.map { line in line.prefix { $0 == " " }.count }
    return lines.map { String($0.dropFirst(indents.min() ?? 0)) }
  }
}

/// A folder of a test's own, which goes with it.
final class TestFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "articles-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func path(_ name: String) -> String { url.appending(path: name).path }
}
