import Foundation
import TestSupport

/// The end of a tool that was run: what it printed, what it complained of, and its status.
struct ToolRun {
  let output: String
  let complaint: String
  let status: Int32

  /// Runs a tool to its end.
  init(_ tool: String, _ arguments: String...) throws { try self.init(tool, arguments) }

  init(_ tool: String, _ arguments: [String]) throws {
    let complaints = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: complaints)
    defer { try? FileManager.default.removeItem(at: complaints) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: tool))
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: complaints)
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    complaint = try String(contentsOf: complaints, encoding: .utf8)
    status = process.terminationStatus
  }
}
