import Foundation
import Redaction
import Testing

/// What is served by rules has stand-ins, and is asked for by them (docs/redact.md).
@Suite struct ServedRedactionTests {
  private static let token = "ghp_" + String(repeating: "a1B2c3D4e5F6", count: 3)

  private func fixture() throws -> ServerFixture {
    let rules = try RedactionRules("name alice => Witness A\nword kettle => [pot]\nsecrets")
    let texts = ["The kettle of alice: \(Self.token)", "kettle and tea"]
    return try ServerFixture(
      count: 20, texts: texts, redactor: try Redactor(rules) { _ in { _ in [] } })
  }

  private func text(_ fixture: ServerFixture, _ path: String) throws -> String {
    String(decoding: try fixture.get(path).body, as: UTF8.self)
  }

  @Test(arguments: [
    "api/page", "api/conversations", "api/senders", "api/hits?words=tea", "api/hits?words=tea&marks=true",
    "api/statistics", "api/best?words=tea", "api/page?marks=true", "api/shared", "api/threads",
  ])
  func `no answer has what is replaced`(path: String) throws {
    let fixture = try fixture()
    let answer = try text(fixture, path)
    #expect(answer.hasPrefix(#"{"answer":"#))
    for word in ["alice", "kettle", Self.token] { #expect(!answer.lowercased().contains(word), "\(word)") }
  }

  @Test func `stand-ins ask for what they stand for`() throws {
    let fixture = try fixture()
    #expect(try text(fixture, "api/page").contains("[pot] and tea"))
    let found = try text(fixture, "api/hits?words=%5Bpot%5D")
    #expect(found.contains("[pot] and tea"), "\(found)")
    // What was asked for is not told, either.
    let missing = try text(fixture, "api/conversation?conversation=%5Bpot%5D")
    #expect(missing.contains(#""answer":"error""#) && !missing.contains("kettle"), "\(missing)")
  }

  @Test func `an answer is not kept by a browser, and of files pictures alone are given`() throws {
    let fixture = try fixture()
    #expect(try fixture.get("api/page")["ETag"] == nil)
    let note = try fixture.attach(Array("the kettle".utf8), named: "kettle.txt")
    let refused = try fixture.get("attachment/\(note)/0")
    #expect(ServerFixture.kind(of: refused) == "notFound")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    let picture = try fixture.attach(png, named: "kettle.png")
    let given = try fixture.get("attachment/\(picture)/0")
    #expect(Array(given.body) == png)
    #expect(given["Content-Disposition"]?.contains("kettle") == false)
  }
}
