internal import ArgumentParser
internal import Foundation

/// A command as ArgumentParser tells of it: what the manual page and completions are made of.
struct CommandDescription: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var defaultSubcommand: String?
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?

  /// An option, a flag or an argument.
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

  /// The completion of a value, as ``ValueCompletions`` set it.
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

  /// Returns the program with all its commands.
  ///
  /// - Throws: What the decoding of ArgumentParser's own description throws.
  static func program() throws -> CommandDescription {
    try JSONDecoder().decode(Tool.self, from: Data(Scrollback._dumpHelp().utf8)).command
  }

  /// Returns the subcommand with a name; `nil` if there is none.
  func subcommand(_ name: String?) -> CommandDescription? {
    subcommands?.first { $0.commandName == name }
  }
}

extension CommandDescription.Argument {
  /// Its form on a command line.
  var usage: String {
    guard let names, !names.isEmpty else { return "<\(valueName ?? "")>" }
    let value = takesValue ? " <\(valueName ?? "value")>" : ""
    let short = names.filter { $0.kind != "long" } + names.filter { $0.kind == "long" }
    return short.map(\.written).joined(separator: ", ") + value
  }

  /// Whether it is an option with a value.
  var takesValue: Bool { kind == "option" }

  /// The names as they are written, none for an argument without a name.
  var writtenNames: [String] { (names ?? []).map(\.written) }
}
