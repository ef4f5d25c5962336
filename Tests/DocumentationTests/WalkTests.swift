import Foundation
import TestSupport
import Testing

/// docs/architecture.md walks through the code, a function for each hop.
@Suite struct WalkTests {
  @Test func `each hop of a walk is a function or a type that is there`() throws {
    let file = GoldenFile.root.appending(path: "docs/architecture.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let walks = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("Three walks") })
    let lines = walks.split(separator: "\n").filter { $0.hasPrefix("    ") }
    let hops = lines.flatMap { $0.components(separatedBy: "→") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(hops.count > 100)
    let names = try Self.declared()
    for hop in hops {
      for part in hop.prefix(while: { $0 != "(" }).split(separator: ".") {
        #expect(names.contains(String(part)), "nothing is called \(part)")
      }
    }
  }

  /// The names of all functions and types of the package.
  private static func declared() throws -> Set<String> {
    let sources = GoldenFile.root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for match in try String(contentsOf: file, encoding: .utf8)
        .matches(of: /\b(?:func|struct|class|enum|actor|protocol|var|typealias) ([A-Za-z]+)/)
      {
        names.insert(String(match.1))
      }
    }
    return names
  }
}
