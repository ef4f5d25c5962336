internal import MessageModel

/// Reads what follows the name of a command.
enum CommandArguments {
  /// For commands that take nothing.
  static func bare(_ text: Substring, _ command: ReplCommand) -> ReplCommand? {
    text.isEmpty ? command : nil
  }

  /// A number of messages, or none.
  static func count(_ text: Substring, _ command: (Int?) -> ReplCommand) -> ReplCommand? {
    if text.isEmpty { return command(nil) }
    guard let count = Int(text), (1...10_000).contains(count) else { return nil }
    return command(count)
  }

  /// `on` or `off`.
  static func toggle(_ text: Substring) -> Bool? {
    switch text {
    case "on": true
    case "off": false
    default: nil
    }
  }

  static func destination(_ text: Substring) -> ReplCommand.Destination? {
    if text == "unread" { return .unread }
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    if text.hasPrefix("'") { return text.count > 1 ? .mark(String(text.dropFirst())) : nil }
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      return .percent(percent)
    }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int(text).flatMap { $0 > 0 ? .number($0) : nil }
    }
    return TimeExpression(text).map { .time($0) }
  }

  /// A message by its letter or its id.
  static func target(_ text: Substring) -> ReplCommand.Target? {
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return .handle(String(text))
  }

  /// A message, and all that follows it.
  static func targetAndText(_ text: Substring) -> (target: ReplCommand.Target, text: String)? {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.count == 2, let target = target(words[0]) else { return nil }
    return (target, String(words[1]))
  }

  /// A file, in double quotes if its name has spaces, and all that follows it.
  static func fileAndText(_ text: Substring) -> (file: String, text: String)? {
    let (name, rest): (Substring, Substring)
    if text.hasPrefix("\"") {
      let inner = text.dropFirst()
      guard let end = inner.firstIndex(of: "\"") else { return nil }
      (name, rest) = (inner[..<end], inner[inner.index(after: end)...])
    } else {
      name = text.prefix { !$0.isWhitespace }
      rest = text.dropFirst(name.count)
    }
    guard !name.isEmpty else { return nil }
    return (PathText.expanded(String(name)), String(rest.drop { $0.isWhitespace }))
  }

  private static func id(_ text: Substring) -> Message.ID? { Message.ID(String(text.dropFirst())) }
}
