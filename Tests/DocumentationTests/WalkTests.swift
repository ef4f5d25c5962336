import Foundation
import TestSupport
import Testing

/// docs/internals/hops.md walks through the code, a function for each hop; docs/architecture.md says where a change goes.
@Suite struct WalkTests {
  @Test func `each hop of a walk is a function or a type that is there`() throws {
    let page = try Self.page("docs/internals/hops.md")
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("    ") }
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

  @Test func `each place of a change, and each type of a walk, is there`() throws {
    let sections = try Self.page("docs/architecture.md").components(separatedBy: "\n## ")
    let changes = try #require(sections.first { $0.hasPrefix("Where a change goes") })
    let paths = changes.matches(of: /`((?:[A-Za-z]+\/)+[A-Za-z0-9+.\-]*)`/).map { String($0.1) }
    #expect(paths.count > 40)
    for path in paths {
      let file = GoldenFile.root.appending(path: "Sources/\(path)")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path) is not there")
    }
    let walks = try #require(sections.first { $0.hasPrefix("Three walks") })
    let names = try Self.declared()
    for type in walks.matches(of: /`([A-Z][A-Za-z]+)(?:\.[a-z][A-Za-z]*)?`/) {
      #expect(names.contains(String(type.1)), "nothing is called \(type.1)")
    }
  }

  private static func page(_ name: String) throws -> String {
    try String(contentsOf: GoldenFile.root.appending(path: name), encoding: .utf8)
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
