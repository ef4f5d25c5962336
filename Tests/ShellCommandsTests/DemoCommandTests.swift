import Foundation
import ShellTesting
import Testing

/// `scrollback demo` without a terminal.
struct DemoCommandTests {
  @Test func `it prints a short tour of a made-up history, and leaves the store of the user alone`() throws {
    let fixture = try ShellFixture(count: 1)
    let answer = try fixture.run(["demo"])
    #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
    #expect(answer.output.hasPrefix("> /conversations\n"))
    #expect(answer.output.contains("> /goto 2025-09-14\n2025-09-14 22:04:29  mira  Gusts of 96 knots"))
    #expect(answer.output.contains("> /search soup\n2026-04-30 20:17:42  zoë  And no accident with soup.\n"))
    #expect(try fixture.run(["conversations"]).output.split(separator: "\n").count == 1)
  }
}
