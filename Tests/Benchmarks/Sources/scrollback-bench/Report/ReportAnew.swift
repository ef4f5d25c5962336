import ArgumentParser
import Foundation

/// `report`: makes the page and the pictures of a report anew from its numbers.
struct ReportAnew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make the page and the pictures of a report anew from its results.json; nothing is measured.")

  @Argument(help: ArgumentHelp("The folder that `run --report` has written.", valueName: "folder"))
  var folder: String

  func run() throws {
    let folder = URL(fileURLWithPath: folder)
    let findings = try Finding.all(in: folder.appendingPathComponent("results.json"))
    var report = Report(findings)
    // Only the page says which machine it was.
    let page = try? String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = page?.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false) ?? []
    if lines.count > 2 { report.machine = String(lines[2]) }
    try report.writePage(to: folder)
  }
}
