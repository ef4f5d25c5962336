import Foundation
import ShellTesting
import TestSupport
import Testing

/// The cases by which the language of sites is compared with that of the program; those of a site are asked by
/// `Tests/PageTests/Scripts/site.test.js`.
@Suite struct SiteQueryTests {
  private static func fixture(_ name: String) throws -> String {
    try String(contentsOf: GoldenFile.root.appending(path: "Fixtures/queries/\(name)"), encoding: .utf8)
  }

  @Test func `the program finds as many messages as the table of cases says`() throws {
    let fixture = try ShellFixture(holding: Self.fixture("site.jsonl"))
    let lines = try Self.fixture("site.tsv").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count > 70)
    for line in lines {
      let parts = line.split(separator: "\t")
      let answer = try fixture.run(["search", "--json", "--limit", "1000", "--", String(parts[0])])
      let count = answer.output.split(separator: "\n").count
      let found = count == 0 && !answer.errors.isEmpty ? "refused" : "\(count)"
      #expect(found == parts[1], "\(line): \(answer.errors)")
    }
  }
}
