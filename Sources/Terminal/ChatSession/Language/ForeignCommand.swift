internal import TerminalText

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
