internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageMarkup
internal import MessageModel
internal import TerminalText

enum CommandArguments {
  static func bare(_ text: Substring, _ command: ReplCommand) -> ReplCommand? {
    text.isEmpty ? command : nil
  }

  private static let mostCount = 10_000
  static let counts = "a number from 1 to \(NumberText.grouped(mostCount))"

  /// A count of messages, also with grouped thousands, or none.
  static func count(_ text: Substring, _ command: (Int?) -> ReplCommand) -> ReplCommand? {
    if text.isEmpty { return command(nil) }
    guard let count = number(text), (1...mostCount).contains(count) else { return nil }
    return command(count)
  }

  static func toggle(_ text: Substring) -> Bool? {
    switch text {
    case "on": true
    case "off": false
    default: nil
    }
  }

  static func destination(_ text: Substring) -> ReplCommand.Destination? {
    if let place = places[text.lowercased()] { return place }
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    if text.hasPrefix("'") { return text.count > 1 ? .mark(String(text.dropFirst())) : nil }
    if text.hasSuffix("%") { return percent(text.dropLast()).map { .percent($0) } }
    if let number = number(text) { return number > 0 ? .number(number) : nil }
    return TimeExpression(text).map { .time($0) }
  }

  private static let places: [String: ReplCommand.Destination] = [
    "unread": .unread, "top": .oldest, "first": .oldest, "oldest": .oldest, "bottom": .newest,
    "last": .newest,
    "end": .newest, "newest": .newest,
  ]

  private static func percent(_ text: Substring) -> Double? {
    let digits = text.trimming(while: \.isWhitespace).replacing(",", with: ".")
    return Double(digits).flatMap { (0...100).contains($0) ? $0 : nil }
  }

  /// A number, also with thousands grouped as in the status line: `62,424`, `60 000`.
  private static func number(_ text: Substring) -> Int? {
    let groups = text.split(omittingEmptySubsequences: false) { $0 == "," || $0.isWhitespace }
    let isParted = groups.count > 1
    let isNumber = groups.enumerated().allSatisfy { index, group in
      group.utf8.allSatisfy { (0x30...0x39).contains($0) }
        && (!isParted || (index == 0 ? 1...3 : 3...3).contains(group.count))
    }
    return isNumber ? Int(groups.joined()) : nil
  }

  static func target(_ text: Substring) -> ReplCommand.Target? {
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return .handle(String(text))
  }

  /// A message, or the ends of a range: `a-f`, `#12-#15`.
  static func targets(_ text: Substring) -> (first: ReplCommand.Target, last: ReplCommand.Target?)? {
    if let one = target(text) { return (one, nil) }
    // An id may begin with a minus sign.
    for place in text.indices where text[place] == "-" {
      if let first = target(text[..<place]), let last = target(text[text.index(after: place)...]) {
        return (first, last)
      }
    }
    return nil
  }

  /// `a-f`, `a-f markdown`, `a-f jsonl | COMMAND`; `markdown` and nothing at all for the selected messages.
  static func copied(_ text: Substring) -> ReplCommand.CopiedMessages? {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var words = (parts.first ?? "").split(whereSeparator: \.isWhitespace)[...]
    var copied = ReplCommand.CopiedMessages()
    if let word = words.last, let format = ExportFormats.name(of: String(word)) {
      copied.format = format
      words.removeLast()
    }
    if let word = words.popFirst() {
      guard let ends = targets(word) else { return nil }
      (copied.first, copied.last) = (ends.first, ends.last)
    }
    guard words.isEmpty else { return nil }
    if parts.count == 2 {
      let command = parts[1].trimming(while: \.isWhitespace)
      guard !command.isEmpty else { return nil }
      copied.command = String(command)
    }
    return copied
  }

  static func quoted(_ text: Substring) -> ReplCommand.CopiedMessages? {
    if text.isEmpty { return ReplCommand.CopiedMessages() }
    return targets(text).map { ReplCommand.CopiedMessages(first: $0.first, last: $0.last) }
  }

  static func link(_ text: Substring) -> ReplCommand? {
    var words = text.split(whereSeparator: \.isWhitespace)[...]
    guard let target = words.popFirst().flatMap({ target($0) }) else { return nil }
    let number = words.first.flatMap { Int($0) }
    if number != nil { words.removeFirst() }
    guard number ?? 1 > 0, words.count <= 1 else { return nil }
    guard let word = words.first else { return .url(target, number, .show) }
    return ReplCommand.LinkAction(rawValue: String(word)).map { .url(target, number, $0) }
  }

  static func targetAndText(_ text: Substring) -> (target: ReplCommand.Target, text: String)? {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.count == 2, let target = target(words[0]) else { return nil }
    return (target, String(words[1]))
  }

  /// A file, in double quotes if its name has spaces, then the text.
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

enum EmojiNames {
  static func emoji(named word: some StringProtocol) -> String? {
    guard word.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return nil }
    return EmojiTable.emoji(named: word.dropFirst().dropLast())
  }

  /// For a whole name, returns its emoji. O(names).
  static func completions(of word: String) -> [String] {
    guard word.count > 2, word.hasPrefix(":") else { return [] }
    if let emoji = emoji(named: word) { return [emoji] }
    let beginning = word.dropFirst()
    let names = EmojiTable.names.filter { $0.hasPrefix(beginning) }
    if names.count == 1, let name = names.first, let only = EmojiTable.emoji(named: name) { return [only] }
    return names.sorted().map { ":\($0):" }
  }

  /// An emoji itself, or by its name between colons. Throws ``UsageError`` with the nearest name.
  static func meaning(of word: String) throws(UsageError) -> String {
    guard word.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return word }
    if let emoji = emoji(named: word) { return emoji }
    let near = Nearest.name(
      to: String(word.dropFirst().dropLast()), among: EmojiTable.names.map(String.init).sorted())
    throw UsageError(
      "unknown emoji '\(SafeText.oneLine(word).cut(columns: 40))'",
      remedy: near.map { ":\($0):" } ?? "Tab behind its first letters")
  }
}

package enum PathText {
  /// Expands a leading tilde.
  package static func expanded(_ path: String) -> String {
    path == "~" || path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
  }
}
