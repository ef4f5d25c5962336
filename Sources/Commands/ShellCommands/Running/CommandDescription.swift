internal import ArgumentParser
internal import Foundation

/// A command as ArgumentParser describes it: the source of the manual page and of completions.
struct CommandDescription: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var defaultSubcommand: String?
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var written: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var defaultValue: String?
    var shouldDisplay: Bool
    var isRepeating: Bool
    var completionKind: Completion?
  }

  enum Completion: Decodable {
    case list(values: [String])
    case file(extensions: [String])
    case directory
    case shellCommand(command: String)
    case custom
    case customAsync
  }

  private struct Tool: Decodable {
    var command: CommandDescription
  }

  static func program() throws -> CommandDescription {
    try JSONDecoder().decode(Tool.self, from: Data(Scrollback._dumpHelp().utf8)).command
  }

  func subcommand(_ name: String?) -> CommandDescription? {
    subcommands?.first { $0.commandName == name }
  }
}

extension CommandDescription.Argument {
  var usage: String {
    guard let names, !names.isEmpty else { return "<\(valueName ?? "")>" }
    let value = takesValue ? " <\(valueName ?? "value")>" : ""
    let short = names.filter { $0.kind != "long" } + names.filter { $0.kind == "long" }
    return short.map(\.written).joined(separator: ", ") + value
  }

  var takesValue: Bool { kind == "option" }

  var writtenNames: [String] { (names ?? []).map(\.written) }
}
