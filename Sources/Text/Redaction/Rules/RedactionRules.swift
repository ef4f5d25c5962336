/// Rules for redaction, as in a file (docs/redact.md).
package struct RedactionRules: Hashable, Sendable {
  /// Spellings of one word or name.
  package struct Words: Hashable, Sendable {
    /// The rule's line.
    package var line: Int
    package var spellings: [String]
    /// The replacement; `nil` for the default.
    package var standIn: String?
    /// Whether it is a person's name: it must be a whole word, and senders with that name are renamed.
    package var isName: Bool
  }

  /// An expression and its replacement.
  package struct Expression: Hashable, Sendable {
    package var line: Int
    package var pattern: String
    package var label: String?
  }

  package var words: [Words] = []
  package var expressions: [Expression] = []
  /// Whether to replace keys and tokens.
  package var findsSecrets = false
  /// Whether to replace all senders by numbered persons.
  package var replacesSenders = false
  /// Whether to omit attachments.
  package var dropsAttachments = false
  /// Whether to keep attachments that cannot be searched: pictures, archives, documents.
  package var keepsUnreadAttachments = false
  /// Whether to omit platforms' ids.
  package var dropsIDs = false
  /// Whether to reduce times to days.
  package var givesDays = false

  /// Rules that only replace secrets.
  package static var secrets: RedactionRules {
    var rules = RedactionRules()
    rules.findsSecrets = true
    return rules
  }

  /// Whether texts may lose more than secrets, such as numbers.
  package var findsMoreThanSecrets: Bool { !words.isEmpty || !expressions.isEmpty || replacesSenders }

  /// Creates rules that replace nothing.
  package init() {}

  /// A faulty line.
  package struct Fault: Error, Hashable {
    package let line: Int
    package let reason: String
  }

  /// Parses a file: a rule per line; blank lines and lines that begin with `#` are ignored.
  package init(_ text: String) throws(Fault) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let trimmed = Self.trimmed(line)
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
      do throws(Wrong) {
        try take(trimmed, line: index + 1)
      } catch {
        throw Fault(line: index + 1, reason: error.reason)
      }
    }
    guard self != RedactionRules() else { throw Fault(line: 0, reason: "it has no rule") }
  }

  private struct Wrong: Error {
    let reason: String
  }

  private static let arrow = " => "

  private mutating func take(_ rule: Substring, line: Int) throws(Wrong) {
    let keyword = rule.prefix { !$0.isWhitespace }
    let rest = Self.trimmed(rule.dropFirst(keyword.count))
    switch keyword {
    case "name": try take(words: rest, line, isName: true)
    case "word": try take(words: rest, line, isName: false)
    case "regex":
      let (pattern, label) = Self.parts(of: rest)
      guard !pattern.isEmpty else { throw Wrong(reason: "regex needs an expression: regex \\d{3}-\\d{4}") }
      expressions.append(Expression(line: line, pattern: pattern, label: label))
    case "keep":
      guard rest == "attachments" else {
        throw Wrong(reason: "'keep' keeps attachments that cannot be looked into: keep attachments")
      }
      keepsUnreadAttachments = true
    case "secrets", "senders", "attachments", "ids", "times":
      guard rest.isEmpty else { throw Wrong(reason: "'\(keyword)' stands alone in its line") }
      take(flag: keyword)
    default:
      throw Wrong(
        reason: "a rule begins with name, word, regex, secrets, senders, attachments, keep, ids or times")
    }
  }

  private mutating func take(flag: Substring) {
    switch flag {
    case "secrets": findsSecrets = true
    case "senders": replacesSenders = true
    case "attachments": dropsAttachments = true
    case "ids": dropsIDs = true
    default: givesDays = true
    }
  }

  private mutating func take(words rest: Substring, _ line: Int, isName: Bool) throws(Wrong) {
    let (text, standIn) = Self.parts(of: rest)
    let spellings = text.split(separator: ",").map { String(Self.trimmed($0)) }.filter { !$0.isEmpty }
    guard !spellings.isEmpty else {
      throw Wrong(
        reason: isName ? "name needs a name: name Ann Smith, Ann" : "word needs a word: word bluebird")
    }
    words.append(Words(line: line, spellings: spellings, standIn: standIn, isName: isName))
  }

  private static func parts(of rest: Substring) -> (String, String?) {
    guard let arrow = rest.ranges(of: Self.arrow).last else { return (String(rest), nil) }
    let standIn = trimmed(rest[arrow.upperBound...])
    return (String(trimmed(rest[..<arrow.lowerBound])), standIn.isEmpty ? nil : String(standIn))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...end]
  }
}
