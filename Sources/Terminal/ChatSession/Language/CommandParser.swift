internal import HistoryQueries
internal import MessageModel
internal import TerminalText

/// Parses lines typed in the REPL.
package enum CommandParser {
  /// Parses a line; `nil` if it is empty.
  ///
  /// A line without a slash is a message; two slashes begin a message with a slash, and a place behind one goes
  /// there. Leading spaces do not matter for commands. Errors show the valid form.
  package static func command(in line: String) throws(UsageError) -> TypedCommand? {
    let text = line.trimming(while: \.isWhitespace)
    guard !text.isEmpty else { return nil }
    guard text.hasPrefix("/") else { return .message(line) }
    if text.hasPrefix("//") { return .message(String(line[text.startIndex...].dropFirst())) }
    let name = text.dropFirst().prefix { !$0.isWhitespace }
    let arguments = text[name.endIndex...].trimming(while: \.isWhitespace)
    // `:100` in vi and less.
    if name.first?.isNumber == true, arguments.isEmpty, let place = CommandArguments.destination(name) {
      return TypedCommand(.goto(place), .reads)
    }
    let entry = try entry(named: name)
    guard let meaning = entry.read(arguments) else { throw misuse(of: entry, arguments) }
    var command = TypedCommand(meaning, entry.effect)
    command.namesFiles = entry.completes == .files
    return command
  }

  static func isCommand(_ line: String) -> Bool {
    let text = line.trimming(while: \.isWhitespace)
    return text.hasPrefix("/") && !text.hasPrefix("//")
  }

  /// Finds a command by its name or an unambiguous prefix.
  static func entry(named name: Substring) throws(UsageError) -> CommandTable.Entry {
    let whole = CommandTable.aliases[name] ?? name
    if let exact = CommandTable.entries.first(where: { $0.name == whole }) { return exact }
    let beginning = CommandTable.entries.filter { !name.isEmpty && $0.name.hasPrefix(name) }
    if beginning.count == 1 { return beginning[0] }
    let shown = SafeText.oneLine(name).cut(columns: 40)
    if beginning.count > 1 {
      let names = beginning.map { "/" + $0.name }.joined(separator: ", ")
      throw UsageError("'/\(shown)' could be \(names)")
    }
    if let other = CommandTable.meant[name.lowercased()] {
      throw UsageError("there is no command '/\(shown)'", remedy: other)
    }
    let near = Nearest.name(to: String(name), among: CommandTable.entries.map(\.name))
    throw UsageError(
      "there is no command '/\(shown)'", remedy: near.map { "/\($0)" } ?? "/help")
  }

  /// `a message and a text`
  private static func needed(by entry: CommandTable.Entry) -> String {
    let first = entry.arguments.split(separator: " | ").first ?? ""
    let words = first.split(separator: " ").prefix { !$0.hasPrefix("[") }.map {
      argumentNames[$0] ?? String($0)
    }
    guard entry.completes == .places else { return words.joined(separator: " and ") }
    return "a place, for example /\(entry.name) 2024-05-01"
  }

  private static let argumentNames: [Substring: String] = [
    "LETTER": "a message", "TEXT": "a text", "DIR": "a folder", "FILE": "a file", "PATH…": "a file or folder",
    "EMOJI": "an emoji", "NAME": "a name", "QUERY": "a query", "QUESTION": "a question",
  ]

  private static func misuse(of entry: CommandTable.Entry, _ arguments: Substring) -> UsageError {
    let usage = ["/" + entry.name, entry.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    // With more arguments required, a valid message alone is incomplete.
    let isCutShort = entry.arguments.hasPrefix("LETTER ") && CommandArguments.target(arguments) != nil
    if arguments.isEmpty || isCutShort {
      return UsageError("/\(entry.name) needs \(needed(by: entry))", remedy: .words(usage))
    }
    if entry.completes == .files, !arguments.count(where: { $0 == "\"" }).isMultiple(of: 2) {
      return UsageError(
        "a quote is not closed in '\(SafeText.oneLine(arguments.prefix(80)).cut(columns: 40))'")
    }
    let dates = TimeExpression.dates(perhapsMeantBy: arguments)
    if entry.completes == .places, let date = dates.first {
      return UsageError(
        "'\(arguments)' may mean \(dates.joined(separator: " or "))", remedy: "/\(entry.name) \(date)")
    }
    let shown = SafeText.oneLine(arguments.prefix(80)).cut(columns: 40)
    if let takes = entry.takes {
      return UsageError("/\(entry.name) takes \(takes), not '\(shown)'", remedy: .words(usage))
    }
    return UsageError("/\(entry.name) cannot use '\(shown)'", remedy: .words(usage))
  }
}

extension StringProtocol {
  package func trimming(while condition: (Character) -> Bool) -> SubSequence {
    let start = firstIndex { !condition($0) } ?? endIndex
    let end = self[start...].lastIndex { !condition($0) }.map(index(after:)) ?? start
    return self[start..<end]
  }
}

/// A line without a slash that is hardly a message: `q`, `exit`, `?`, `:w`, `:1`, `:/words`. The rule is a
/// colon before a lower-case letter, a digit, or a sign with more text. Emoticons and emoji names (`:D`,
/// `:-/`, `:tada:`) are messages.
struct ForeignCommand: Hashable {
  let line: String
  let command: TypedCommand?
  private let spelling: String?

  /// `nil` if the line is a message.
  init?(_ line: String) {
    let text = line.trimming(while: \.isWhitespace)
    self.line = line
    if let spelling = Self.words[text.lowercased()] {
      self.spelling = spelling
      command = try? CommandParser.command(in: spelling)
      return
    }
    guard text.hasPrefix(":"), Self.looksLikeCommand(text.dropFirst().prefix { !$0.isWhitespace }) else {
      return nil
    }
    let spelled = Self.spelled(text.dropFirst())
    command = try? CommandParser.command(in: spelled)
    spelling = command == nil ? nil : SafeText.oneLine(spelled)
  }

  private static func looksLikeCommand(_ word: Substring) -> Bool {
    guard let first = word.unicodeScalars.first, !word.contains(":") else { return false }
    switch first {
    case "a"..."z", "0"..."9": return true
    case "/", "?", "!", "%", "+", "$", "#":
      return word.dropFirst().contains { $0.isLetter || $0.isNumber }
    default: return false
    }
  }

  /// The spelling here of a command that begins with a digit or sign elsewhere.
  private static func spelled(_ command: Substring) -> String {
    guard let first = command.first else { return "/" }
    if "/?".contains(first) { return "/search \(command.dropFirst())" }
    return first.isNumber ? "/goto \(command)" : "/\(command)"
  }

  private static let words = [
    "q": "/quit", "quit": "/quit", "exit": "/quit", ":q": "/quit", ":q!": "/quit", ":quit": "/quit",
    ":wq": "/quit", ":x": "/quit", ":qa": "/quit", "help": "/help", "?": "/help", ":help": "/help",
    ":h": "/help",
  ]

  /// Enter sends the line; typing it again runs the command.
  var question: Question {
    let shown = SafeText.oneLine(line.trimming(while: \.isWhitespace)).cut(columns: 24)
    let send = Question.Answer(word: "yes", command: .message(line))
    var answers = [send, Question.Answer(word: "no", command: nil)]
    var text = "'\(shown)' is not sent yet. Enter: send it as a message"
    if let spelling {
      answers.append(
        Question.Answer(word: line.trimming(while: \.isWhitespace).lowercased(), command: command))
      text += " · \(shown) again: \(spelling.cut(columns: 24))"
    } else {
      text += " · /help lists the commands"
    }
    return Question(text: text, answers: answers, enter: send)
  }
}
