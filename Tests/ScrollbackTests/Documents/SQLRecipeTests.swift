import Foundation
import ShellTesting
import TestSupport
import Testing

/// The recipes of docs/sql.md, as somebody would type them.
@Suite struct SQLRecipeTests {
  /// A recipe, and the program that it needs besides the shell.
  struct Recipe: CustomTestStringConvertible {
    let text: String

    var testDescription: String { String(text.prefix { !$0.isNewline }) }
    /// A command that succeeds where everything that it needs is installed.
    var probe: String {
      if text.contains("import duckdb") { return "python3 -c 'import duckdb'" }
      if text.contains("import pandas") { return "python3 -c 'import pandas'" }
      return "command -v \(text.prefix { !$0.isWhitespace })"
    }
  }

  static let recipes: [Recipe] = {
    let page =
      (try? String(contentsOf: GoldenFile.root.appending(path: "docs/sql.md"), encoding: .utf8)) ?? ""
    let part = page.components(separatedBy: "## Recipes").last ?? ""
    let blocks = part.components(separatedBy: "\n\n").filter { $0.hasPrefix("    ") }
    return blocks.map { block in
      // As one copies it: without the four spaces, and those that only align it.
      Recipe(text: block.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n"))
    }
  }()

  @Test func `there are ten of them`() { #expect(Self.recipes.count >= 10) }

  @Test(arguments: recipes) func `a recipe of the page answers something`(recipe: Recipe) throws {
    let fixture = try ShellFixture(count: 0)
    let store = fixture.folder.appending(path: "store.db").path
    try fixture.run([
      "import", "--quiet", "--store", store, GoldenFile.root.appending(path: "Fixtures/history/demo").path,
    ])
    guard try sh(recipe.probe, in: fixture).status == 0 else {
      print("skipped, not installed: \(recipe.probe)")
      return
    }
    let result = try sh(recipe.text, in: fixture)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    let file = recipe.text.contains(">lighthouse.csv") ? "lighthouse.csv" : nil
    let output =
      try file.map { try String(contentsOf: fixture.folder.appending(path: $0), encoding: .utf8) }
      ?? result.output
    #expect(output.count > 20, "\(output)")
  }

  private func sh(_ text: String, in fixture: ShellFixture) throws -> (
    status: Int32, output: String, errors: String
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", text]
    process.currentDirectoryURL = fixture.folder
    let programs = BuiltProduct.folder.path
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: data, as: UTF8.self),
      String(decoding: complaints, as: UTF8.self)
    )
  }
}
