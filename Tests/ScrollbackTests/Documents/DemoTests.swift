import Foundation
import ShellTesting
import TestSupport
import Testing

/// The history of `scrollback demo` is worth reading.
struct DemoTests {
  @Test func `the demo has all that a history can have, over a year, and is small`() throws {
    let fixture = try ShellFixture(count: 0)
    let demo = GoldenFile.root.appending(path: "Fixtures/history/demo")
    let answer = try fixture.run(["import", demo.path])
    #expect(answer.status == 0 && answer.errors.contains("imported 910"), "\(answer)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: demo.path)
    let sizes = try files.map {
      try FileManager.default.attributesOfItem(atPath: demo.path + "/" + $0)[.size] as? Int ?? 0
    }
    #expect(sizes.reduce(0, +) < 300_000)
    let all = try fixture.run(["export", "--json", "--has", "attachment"]).output.split(separator: "\n")
    #expect(all.count == 6 && all.allSatisfy { $0.contains("\"sha256\"") })
    let text = try fixture.run(["export", "--json"]).output
    for part in [
      "\"replyTo\"", "\"thread\"", "\"edits\"", "\"reactions\"", "https://", "```swift", "\"action\"",
      "\"notice\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    for script in [/\p{Han}/, /\p{Hiragana}/, /\p{Cyrillic}/, /\p{Arabic}/, /é/] {
      #expect(text.contains(script))
    }
    #expect(try fixture.run(["conversations", "--by", "month"]).output.split(separator: "\n").count == 12)
    #expect(try fixture.run(["search", "soup", "-clighthouse"]).output.split(separator: "\n").count > 5)
  }
}
