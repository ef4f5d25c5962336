internal import TerminalText

/// A line without a slash that was hardly meant to be written: `q`, `exit`, `?`, `:w`, `:1`, `:/words`.
///
/// One rule: a colon before a small letter, a digit, or a sign that goes on, as other programs read commands. Emoticons
/// and names of emoji, `:D`, `:-/` and `:tada:`, are none.
struct ForeignCommand: Hashable {
  /// The line as it was typed.
  let line: String
  /// The command that it looks like; `nil` if there is none of that name.
  let command: TypedCommand?
  /// The spelling of that command.
  private let spelling: String?

  /// Looks at a line; `nil` if it is a message.
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

  /// Whether a word behind a colon reads like a command.
  private static func looksLikeCommand(_ word: Substring) -> Bool {
    guard let first = word.unicodeScalars.first, !word.contains(":") else { return false }
    switch first {
    case "a"..."z", "0"..."9": return true
    case "/", "?", "!", "%", "+", "$", "#":
      return word.dropFirst().contains { $0.isLetter || $0.isNumber }
    default: return false
    }
  }

  /// Returns what a command is called here that begins with a number or a sign elsewhere.
  private static func spelled(_ command: Substring) -> String {
    guard let first = command.first else { return "/" }
    if "/?".contains(first) { return "/search \(command.dropFirst())" }
    return first.isNumber ? "/goto \(command)" : "/\(command)"
  }

  /// The words that people type elsewhere to leave and to be helped.
  private static let words = [
    "q": "/quit", "quit": "/quit", "exit": "/quit", ":q": "/quit", ":q!": "/quit", ":quit": "/quit",
    ":wq": "/quit", ":x": "/quit", ":qa": "/quit", "help": "/help", "?": "/help", ":help": "/help",
    ":h": "/help",
  ]

  /// Asks what was meant: Enter sends the line, and typed again it is carried out.
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
