import Foundation
import ShellTesting
import TestSupport
import Testing

/// A filter whose counting is killed.
struct KilledCountTests {
  @Test func `counting that was killed goes on when the filter is saved again`() throws {
    let desk = try Desk(count: 30_000)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["filters", "save", "fives", "--regex", "5$"]
    process.environment = desk.environment
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    while try desk.run(["filters"]).output.isEmpty, process.isRunning {}
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try desk.run(["append", "-c", "general", "--from", "al", "give me 5"])
    #expect(
      try desk.run(["filters", "save", "fives", "--regex", "5$"]).errors == "saved 'fives': 3,001 messages\n")
    #expect(try desk.run(["check"]).status == 0)
  }
}
