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
    #expect(answer.output.contains("> /search stamp\n2026-01-14 10:07:48  mira"))
    #expect(answer.output.contains("To the next one!"))
    #expect(try fixture.run(["conversations"]).output.split(separator: "\n").count == 1)
  }
}
