import Foundation
import TestSupport
import Testing

/// What becomes of data that nobody takes.
struct OutputTests {
  /// Runs the program by the shell, its output going where `command` says, and returns its exit code and complaints.
  private func run(_ command: String, at desk: Desk) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command, BuiltProduct.path(of: "scrollback")]
    process.environment = desk.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    process.standardError = errors
    try process.run()
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, complaints)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `data that finds no room ends the command with a sentence`() throws {
    let (status, errors) = try run(#""$0" export >/dev/full"#, at: try Desk())
    #expect(status == 74 && errors.hasPrefix("scrollback: cannot write to standard output\n"))
  }

  @Test(arguments: ["", "trap '' PIPE; "])
  func `a reader that goes away ends the command without a word`(trap: String) throws {
    let desk = try Desk(count: 5_000)
    let (status, errors) = try run(trap + #"{ "$0" export; echo $? >&2; } | head -n 1 >/dev/null"#, at: desk)
    #expect(status == 0 && errors == "141\n")
  }
}
