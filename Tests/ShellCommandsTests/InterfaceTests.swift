import ChatSession
import Foundation
import GRDB
import HistoryQueries
import MessageStorage
import ShellTesting
import TestSupport
import Testing
import WordForms

/// docs/interfaces.md lists what scripts and programs may rely on; Fixtures/interfaces records it, a line each.
@Suite struct InterfaceTests {
  private func expect(_ lines: [String], _ title: String, in name: String) throws {
    let file = GoldenFile(fixture: "interfaces/\(name).txt")
    let difference = try file.difference(fromInterface: lines, titled: title)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Whether all languages are there, whose words are values of options and arguments.
  private static let hasLanguages = WordLanguage.known == WordLanguage.allCases

  @Test(.enabled(if: hasLanguages)) func `commands, options and exit codes stay`() throws {
    let help = try ShellFixture(count: 1).run(["--experimental-dump-help"]).output
    let command = try JSONDecoder().decode(DumpedHelp.self, from: Data(help.utf8)).command
    try expect(
      command.lines(below: "") + ExitStatus.meanings.map { "exit code \($0.0): \($0.1)" },
      "Commands with their arguments, options, values and defaults; exit codes.", in: "commands")
  }

  @Test func `commands, settings and functions of the window, and variables of the environment, stay`() throws
  {
    let commands = HelpText.commandLines.map { String($0.prefix { $0 != " " }) }
    let settings = ReplSetting.all.flatMap { setting in
      ["/set \(setting.name)"] + (setting.values ?? []).map { "/set \(setting.name) \($0)" }
    }
    let functions = KeyFunction.all.map { "inputrc: \($0.name)" }
    try expect(
      Set(commands).sorted() + settings + functions + Self.variables().map { "environment: \($0)" },
      "Commands and settings of the window, functions for an inputrc, variables of the environment.",
      in: "window")
  }

  /// The variables that the sources name.
  private static func variables() throws -> Set<String> {
    let sources = GoldenFile.root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      guard ["SCROLLBACK_", "XDG_", "NO_COLOR", "EDITOR", "PAGER"].contains(where: text.contains) else {
        continue
      }
      for match in text.matches(of: /"((?:SCROLLBACK|XDG)_[A-Z_]+|NO_COLOR|EDITOR|VISUAL|PAGER)"/) {
        names.insert(String(match.1))
      }
    }
    return names
  }

  @Test func `terms of queries stay`() throws {
    let words = [("has", MessageQuery.things), ("is", MessageQuery.states), ("kind", MessageQuery.kinds)]
    try expect(
      MessageQuery.keys + words.flatMap { key, values in values.map { "\(key):\($0)" } },
      "Terms of queries, with the words that some of them take.", in: "queries")
  }

  @Test func `keys of questions, answers and objects stay`() throws {
    var lines: [String] = []
    var heading: String?
    for line in try GoldenFile.jsonPages().split(separator: "\n") {
      if line.hasPrefix("#") {
        heading = line.firstMatch(of: /^### (Question|Answer|Object) `([a-zA-Z]+)`$/).map {
          "\($0.1) \($0.2)"
        }
      } else if let heading, let key = line.firstMatch(of: /^\| `([a-zA-Z0-9]+)` \|/)?.1 {
        lines.append("\(heading): \(key)")
      }
    }
    try expect(lines, "Keys of questions, answers and objects in JSON.", in: "json")
  }

  @Test func `addresses, parameters and answers of the server stay`() throws {
    let data = try Data(contentsOf: GoldenFile.root.appending(path: "docs/openapi.json"))
    let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let parts = try #require(document["components"] as? [String: Any])
    let schemas = try #require(parts["schemas"] as? [String: [String: Any]])
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    var lines = schemas.flatMap { InterfaceTests.lines(of: $1, at: $0, isSent: false) }
    for (path, operations) in paths
    where ["/api/", "/attachment/", "/document"].contains(where: path.hasPrefix) {
      for (method, operation) in operations {
        lines += Self.lines(of: operation, at: "\(method.uppercased()) \(path)")
      }
    }
    try expect(lines, "Addresses with their parameters, and the parts of their answers.", in: "http")
  }

  private static func lines(of operation: [String: Any], at place: String) -> [String] {
    let parameters = operation["parameters"] as? [[String: Any]] ?? []
    let responses = operation["responses"] as? [String: [String: Any]] ?? [:]
    return [place]
      + parameters.flatMap { parameter in
        let name = "\(place) ?\(parameter["name"] as? String ?? "")"
        let isNeeded = parameter["required"] as? Bool == true
        return lines(of: parameter["schema"] as? [String: Any] ?? [:], at: name, isSent: true)
          + (isNeeded ? [] : ["\(name), optional"])
      }
      + responses.flatMap { status, response in
        let contents = response["content"] as? [String: [String: Any]] ?? [:]
        return contents.isEmpty
          ? ["\(place) \(status)"]
          : contents.flatMap { type, content in
            lines(
              of: content["schema"] as? [String: Any] ?? [:], at: "\(place) \(status) \(type)", isSent: false)
          }
      }
  }

  @Test(.enabled(if: hasLanguages)) func `tools of agents, and their arguments, stay`() throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# + "\n"
    let output = try ShellFixture(count: 1).run(["mcp"], input: request).output
    let response = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let tools = try #require((response["result"] as? [String: Any])?["tools"] as? [[String: Any]])
    let lines = tools.flatMap { tool in
      Self.lines(
        of: tool["inputSchema"] as? [String: Any] ?? [:], at: tool["name"] as? String ?? "", isSent: true)
    }
    try expect(lines, "Tools of agents with their arguments.", in: "agents")
  }

  /// Returns what a JSON Schema promises: keys, types and words. Of what is sent, it promises what is optional; of what is
  /// answered, what is always there.
  private static func lines(of schema: [String: Any], at place: String, isSent: Bool) -> [String] {
    let types = (schema["type"] as? [String]) ?? [schema["type"] as? String].compactMap(\.self)
    let reference = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    let forms = (schema["anyOf"] as? [[String: Any]] ?? []).flatMap {
      lines(of: $0, at: place, isSent: isSent)
    }
    let items =
      (schema["items"] as? [String: Any]).map { lines(of: $0, at: "\(place)[]", isSent: isSent) } ?? []
    let required = schema["required"] as? [String] ?? []
    let keys = (schema["properties"] as? [String: [String: Any]] ?? [:]).flatMap { key, value in
      let name = "\(place).\(key)"
      let note = isSent ? ", optional" : ", always there"
      return lines(of: value, at: name, isSent: isSent)
        + (required.contains(key) == isSent ? [] : [name + note])
    }
    let words = (schema["enum"] as? [String] ?? []).map { "\(place): \"\($0)\"" }
    let pattern = (schema["pattern"] as? String).map { ["\(place): /\($0)/"] } ?? []
    let own = types + [reference].compactMap(\.self)
    return Set([place] + own.map { "\(place): \($0)" } + words + pattern + forms + items + keys).sorted()
  }

  // Versions of SQLite name different types for computed columns, so the types are not recorded.
  @Test func `columns of the views stay, in their order`() throws {
    let fixture = try ShellFixture(count: 1)
    defer { withExtendedLifetime(fixture) {} }
    let queue = try DatabaseQueue(path: fixture.store)
    let lines = try queue.read { db in
      try SynchronousMessageStore.viewNames.flatMap { view in
        try db.columns(in: view).enumerated().map { "\(view) column \($0 + 1): \($1.name)" }
      }
    }
    try expect(lines, "Columns of the views, in their order.", in: "sql")
  }

  @Test func `products and traits of the package stay`() throws {
    let text = try String(contentsOf: GoldenFile.root.appending(path: "Package.swift"), encoding: .utf8)
    let lines = text.matches(of: /\.(library|executable|trait)\(\s*name: "(\w+)"/).map { "\($0.1) \($0.2)" }
      .filter { $0 != "library ScrollbackParts" }
    try expect(lines, "Products and traits of the package.", in: "package")
  }
}

/// What `--experimental-dump-help` prints.
private struct DumpedHelp: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    func lines(below parent: String) -> [String] {
      let name = parent + commandName
      let shown = (arguments ?? []).filter(\.shouldDisplay)
      let positional = shown.filter { $0.names == nil }.enumerated().flatMap { index, argument in
        argument.lines(at: "\(name) argument \(index + 1)")
      }
      let named = shown.flatMap { argument in
        (argument.names ?? []).flatMap { argument.lines(at: "\(name) \($0.spelling)") }
      }
      return [name] + positional + named + (subcommands ?? []).flatMap { $0.lines(below: name + " ") }
    }
  }

  struct Argument: Decodable {
    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var defaultValue: String?
    var allValues: [String]?
    var completionKind: Completion?

    func lines(at place: String) -> [String] {
      let name = kind == "option" ? "\(place) VALUE" : place
      let values = allValues ?? completionKind?.list?.values ?? []
      return [name] + values.map { "\(name): \($0)" }
        + (isOptional && kind != "flag" ? ["\(name), optional"] : [])
        + (isRepeating && kind != "flag" ? ["\(name), repeated"] : [])
        + (defaultValue.map { ["\(name), by default \($0)"] } ?? [])
    }
  }

  struct Name: Decodable {
    var kind: String
    var name: String
    var spelling: String { (kind == "long" ? "--" : "-") + name }
  }

  struct Completion: Decodable {
    var list: List?
    struct List: Decodable { var values: [String] }
  }
}
