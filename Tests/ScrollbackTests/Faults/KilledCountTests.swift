import Foundation
import ShellTesting
import TestSupport
import Testing

/// A filter whose counting is killed.
struct KilledCountTests {
  @Test func `counting that was killed goes on when the filter is saved again`() throws {
    let fixture = try ShellFixture(count: 30_000)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["filters", "save", "fives", "--regex", "5$"]
    process.environment = fixture.environment
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    while try fixture.run(["filters"]).output.isEmpty, process.isRunning {}
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try fixture.run(["append", "-c", "general", "--from", "al", "give me 5"])
    #expect(
      try fixture.run(["filters", "save", "fives", "--regex", "5$"]).errors
        == "saved 'fives': 3,001 messages\n")
    #expect(try fixture.run(["check"]).status == 0)
  }
}
