import Foundation
import Redaction
import Testing

/// The document that the page keeps as a file.
@Suite(.waiting) struct DocumentTests {
  private func text(_ fixture: ServerFixture, _ path: String) throws -> String {
    let response = try fixture.get(path)
    try #require(response.status == 200, "\(path)")
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test func `it is what an export to HTML writes, byte for byte`() throws {
    let fixture = try ServerFixture(count: 1_300, texts: ["<script>alert(1)</script>", "*bold*", "潮汐"])
    let export = ["export", "--format", "html", "--time-zone", "Europe/Berlin"]
    let address = "document?at=oldest&timeZone=Europe/Berlin"
    #expect(try text(fixture, address) == fixture.shell.run(export).output)
    #expect(
      try text(fixture, "\(address)&conversations=general&filter.matching=from:bob&limit=7")
        == fixture.shell.run(export + ["--from", "bob", "--limit", "7"]).output)
    let ids = try fixture.ids()
    let part = try text(fixture, "document?timeZone=Europe/Berlin&at=after:\(ids[9])&limit=600")
    #expect(part == (try fixture.shell.run(export + ["--offset", "10", "--limit", "600"]).output))
  }

  @Test func `files are at their addresses, and nothing of the document may run`() throws {
    let fixture = try ServerFixture(count: 1)
    let id = try fixture.attach(Array("tea".utf8), named: "a \"b\".txt")
    let response = try fixture.get("document?at=oldest")
    let page = String(decoding: response.body, as: UTF8.self)
    #expect(page.contains("<a href=\"./attachment/\(id)/0/"))
    #expect(response["Content-Type"] == "text/html; charset=utf-8")
    #expect(response["Content-Security-Policy"]?.contains("sandbox") == true)
    #expect(response["Scrollback-Store"] != nil)
  }

  @Test func `a wrong parameter is refused, and rules hide what they hide everywhere`() throws {
    let rules = try RedactionRules("name alice => Witness A\nword kettle => [pot]")
    let fixture = try ServerFixture(
      count: 4, texts: ["the kettle of alice"], redactor: try Redactor(rules) { _ in { _ in [] } })
    let page = try text(fixture, "document?at=oldest")
    #expect(page.contains("the [pot] of Witness A"))
    #expect(!page.contains("kettle") && !page.contains("alice"))
    for wrong in ["document?none=1", "document?timeZone=Mars", "document?limit=-1", "document/1"] {
      #expect([400, 404].contains(try fixture.get(wrong).status), "\(wrong)")
    }
  }
}
