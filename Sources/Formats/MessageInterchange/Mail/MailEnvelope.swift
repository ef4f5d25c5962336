internal import MessageModel

/// The line that begins a mail in a mailbox: `From ann@host.example Fri Dec  1 00:24:44 2006`.
///
/// Any line of a text may begin with `From `, and not every program escapes it. How certain the line is
/// decides what else must hold for a mail to begin.
struct MailEnvelope {
  enum Certainty: Comparable {
    /// An ordinary sentence.
    case none
    /// It contains an address or some date: a mail if an empty line precedes.
    case likely
    /// It has a date as C's `ctime` writes it: a mail anywhere.
    case certain
  }

  let certainty: Certainty
  let time: Timestamp?

  init(_ line: String) {
    let words = line.split { $0 == " " || $0 == "\t" }.dropFirst().map(String.init)
    if let start = words.indices.first(where: { Self.isDate(words[$0...]) }) {
      certainty = .certain
      time = MailDate.read(words[start...].joined(separator: " "))
      return
    }
    time = MailDate.read(words.dropFirst().joined(separator: " "))
    let isAddress = words.first.map(Self.isAddress) ?? false
    certainty = isAddress || time != nil && words.contains { $0.contains(":") } ? .likely : .none
  }

  init?(_ line: Bytes) {
    guard line.has("From ") else { return nil }
    self.init(line.string)
  }

  func beginsMail(before line: Bytes, isBehindEmptyLine: Bool) -> Bool {
    switch certainty {
    case .certain: MailHeaders.mayBegin(with: line)
    case .likely: isBehindEmptyLine && MailHeaders.mayBegin(with: line)
    case .none: false
    }
  }

  /// Whether words begin with `Fri Dec 1 00:24:44 2006`, with a zone before or after the year or without
  /// seconds, or with the day before the month as in header fields.
  private static func isDate(_ words: ArraySlice<String>) -> Bool {
    let words = words.prefix(7).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    guard words.count >= 5, days.contains(words[0].lowercased()) else { return false }
    guard isMonth(words[1]) && isDay(words[2]) || isDay(words[1]) && isMonth(words[2]) else { return false }
    let rest = words[3...]
    return rest.contains(where: isClock) && rest.contains(where: isYear)
  }

  private static let days: Set<String> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  private static func isMonth(_ word: String) -> Bool {
    word.utf8.count == 3 && MonthNames.number(of: Array(word.utf8)) != nil
  }

  private static func isDay(_ word: String) -> Bool { Int(word).map { (1...31).contains($0) } ?? false }

  private static func isClock(_ word: String) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts.allSatisfy { $0.utf8.count <= 2 && Int($0) != nil }
  }

  private static func isYear(_ word: String) -> Bool {
    word.utf8.count == 4 && Int(word).map { (1_000...9_999).contains($0) } ?? false
  }

  /// An address in a mailbox: with `@`, in UUCP's form, or one of the two that stand for no sender.
  private static func isAddress(_ word: String) -> Bool {
    guard !word.hasSuffix(","), !word.hasSuffix(":") else { return false }
    return word == "-" || word == "MAILER-DAEMON"
      || word.dropFirst().dropLast().contains { $0 == "@" || $0 == "!" }
  }
}
