import Foundation
import ShellTesting
import Testing

/// What `salvage` prints, and ends with.
struct SalvageCommandTests {
  private func damaged(_ change: (inout Data) throws -> Void) throws -> ShellFixture {
    let fixture = try ShellFixture(count: 300)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.store))
    try change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: fixture.store))
    return fixture
  }

  private func replace(_ old: String, by new: String, in bytes: inout Data) throws {
    bytes.replaceSubrange(try #require(bytes.range(of: Data(old.utf8))), with: Data(new.utf8))
  }

  @Test func `a sound store is brought out whole, with 0`() throws {
    let fixture = try damaged { _ in }
    let new = fixture.folder.path + "/new.db"
    let answer = try fixture.run(["salvage", fixture.store, "-o", new])
    #expect(answer.status == 0 && answer.output == "")
    #expect(
      answer.errors == """
        brought 300 messages of 1 conversation into \(new)
          general: 300 messages
        nothing is missing, as far as is known

        """)
    let exports = try [fixture.store, new].map { try fixture.run(["export", "--json", "-s", $0]).output }
    #expect(exports[0] == exports[1])
    #expect(try fixture.run(["check", "-s", new]).status == 0)
  }

  @Test func `what is doubtful is named, with 3, and marked in the new store`() throws {
    let fixture = try damaged { try replace("message 123", by: "message l23", in: &$0) }
    let new = fixture.folder.path + "/new.db"
    let answer = try fixture.run(["salvage", fixture.store, "-o", new, "--json"])
    #expect(answer.status == 3)
    #expect(answer.errors.contains("1 message not as written, marked [damaged]: #7022"))
    #expect(answer.output.hasPrefix(#"{"messages":300,"missing":0,"damaged":1,"damagedIDs":["7022"#))
    #expect(try fixture.run(["search", "l23", "-s", new]).output.contains("[damaged] message l23"))
  }

  @Test func `a store is not written over, what is none is refused, and what is not there is said`() throws {
    let fixture = try damaged { _ in }
    #expect(try fixture.run(["salvage", fixture.store, "-o", fixture.store]).status == 73)
    #expect(try fixture.run(["salvage", fixture.folder.path + "/none", "-o", "x"]).status == 66)
    let history = fixture.folder.path + "/history.jsonl"
    let answer = try fixture.run(["salvage", history, "-o", fixture.folder.path + "/new.db"])
    #expect(answer.status == 65 && answer.errors.contains("it contains no part of a Scrollback store"))
    #expect(try fixture.run(["salvage", fixture.store, "-o", history]).status == 64)
  }

  @Test func `a check that cannot repair points to it`() throws {
    let fixture = try damaged { bytes in
      let place = try #require(bytes.range(of: Data("message 123".utf8))).lowerBound / 4_096 * 4_096
      bytes.replaceSubrange(place..<place + 8, with: Data(count: 8))
    }
    let answer = try fixture.run(["check", "--repair"])
    #expect(answer.status == 3 && answer.errors.contains("scrollback salvage '\(fixture.store)' -o NEW"))
  }
}
