internal import ArgumentParser
internal import ChatSession
internal import MessageModel

/// A mistake in arguments, in the form of all errors of the program. The parser reports its mistakes only as
/// sentences.
struct ArgumentMistake {
  /// The command, without the program's name.
  private let command: String
  private let sentence: String
  private let description: CommandDescription?

  /// - Parameter message: The sentence, followed by the usage and the hint at help.
  init(_ sentence: String, in message: String) {
    self.sentence = sentence
    let path = message.firstMatch(of: /See 'scrollback ?(.*) --help'/).map { String($0.1) } ?? ""
    command = path
    description = try? path.split(separator: " ").reduce(CommandDescription.program()) {
      $0.subcommand(String($1)) ?? $0
    }
  }

  var error: UsageError {
    let help = Remedy.words("scrollback \(command.isEmpty ? "" : command + " ")--help")
    let name = command.isEmpty ? "scrollback" : command
    if let argument = quoted(after: "Missing expected argument ") {
      if let (what, way) = Self.needs[command] {
        return UsageError("\(name) needs \(what)", remedy: .words("scrollback \(way)"))
      }
      return UsageError("\(name) needs \(argument)\(meaning(of: argument))", remedy: help)
    }
    if let option = quoted(after: "Missing value for ") {
      return UsageError("\(option) needs a value\(meaning(of: option))", remedy: help)
    }
    if let option = quoted(after: "Unknown option ") {
      let options = description?.arguments?.filter(\.shouldDisplay).flatMap(\.writtenNames) ?? []
      let near = Nearest.name(to: option, among: options).map { "scrollback \(name) \($0)" }
      return UsageError("\(name) has no option '\(option)'", remedy: near.map { .words($0) } ?? help)
    }
    if let value = sentence.firstMatch(
      of: /^The option '(.*)' does not take any value, but '(.*)' was specified\.$/)
    {
      return UsageError("\(value.1) takes no value, and '\(value.2)' is one", remedy: help)
    }
    if let flags = sentence.firstMatch(
      of: /^Value to be set with flag (.*) had already been set with flag (.*)$/)
    {
      let (last, first) = (flags.1.replacing("'", with: ""), flags.2.replacing("'", with: ""))
      return UsageError("\(last) cannot be combined with \(first)", remedy: help)
    }
    if let option = sentence.firstMatch(of: /^Invalid option: (.*)$/) {
      return UsageError("\(name) has no option '\(option.1)'", remedy: help)
    }
    if let words = sentence.firstMatch(of: /^(?:Unexpected argument|\d+ unexpected arguments:) (.*)$/) {
      return UsageError("\(name) does not take \(words.1)", remedy: help)
    }
    let invalid = /(?s)^The value '(.*)' is invalid for '(.*?)'(?:: (.*)|\. Please provide (.*))?$/
    if let value = sentence.firstMatch(of: invalid) {
      let option = String(value.2)
      let cause = value.3.map(String.init) ?? value.4.map(Self.list) ?? abstract(of: option)
      return UsageError("\(option) does not take '\(value.1)'", cause: cause, remedy: help)
    }
    return UsageError(sentence, remedy: help)
  }

  /// What a command needs, with the command that lists it.
  private static let needs = ["undo": (what: "the number of an import", way: "imports")]

  /// The values that the parser lists, in one line: `one of 'bash', 'zsh' or 'fish'`.
  private static func list(_ values: Substring) -> String {
    let lines = values.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "-" } }
    if lines.count > 1 { return "one of " + lines.dropFirst().joined(separator: ", ") }
    return String(values.hasSuffix(".") ? values.dropLast() : values)
  }

  /// The argument or option named first in the sentence, without quotation marks.
  private func quoted(after beginning: String) -> String? {
    guard sentence.hasPrefix(beginning + "'") else { return nil }
    return String(sentence.dropFirst(beginning.count + 1).prefix { $0 != "'" })
  }

  /// The help of an argument as the end of a sentence: `: the number of the import`.
  private func meaning(of argument: String) -> String { abstract(of: argument).map { ": " + $0 } ?? "" }

  /// The first sentence of the help of an argument, as a clause; `nil` if it has none.
  private func abstract(of argument: String) -> String? {
    let name = argument.prefix { $0 != " " }
    let found = description?.arguments?.first {
      $0.usage == name || $0.writtenNames.contains(String(name))
    }
    guard let text = found?.abstract, let first = text.first else { return nil }
    let sentence = text.hasSuffix(".") ? text.dropLast() : text[...]
    return first.lowercased() + sentence.dropFirst()
  }
}
