internal import MessageModel

/// A line that is not a message but describes those that follow.
enum IRCMarker: Sendable {
  /// These words, then the day of the following lines.
  case day(StaticString, ClockPattern)
  /// These words, then the day on which a session begins.
  case session(StaticString, ClockPattern)
  /// These words, then anywhere in the line the day on which a session begins or ends.
  case sessionSomewhere(StaticString, ClockPattern)
  /// These words, then the conversation's name.
  case conversation(StaticString)
  /// These words, without information.
  case nothing(StaticString)

  enum Meaning {
    /// The day of the following lines, in days since 1970-01-01.
    case day(Int)
    /// The day of the next line, in days since 1970-01-01.
    case session(Int)
    case conversation(String)
    case nothing
  }

  func fits(_ line: Bytes) -> Bool { read(line) != nil }

  func read(_ line: Bytes) -> Meaning? {
    switch self {
    case .day(let words, let pattern):
      guard let rest = line.after(words) else { return nil }
      return pattern.read(rest)?.daysSince1970.map(Meaning.day)
    case .session(let words, let pattern):
      guard let rest = line.after(words) else { return nil }
      return pattern.read(rest)?.daysSince1970.map(Meaning.session)
    case .sessionSomewhere(let words, let pattern):
      guard var rest = line.after(words), line.count <= 512 else { return nil }
      while let space = rest.position(of: 0x20) {
        rest = rest.dropping(space + 1)
        if let day = pattern.read(rest)?.daysSince1970 { return .session(day) }
      }
      return nil
    case .conversation(let words):
      return line.after(words).map { .conversation($0.string) }
    case .nothing(let words):
      return line.has(words) ? .nothing : nil
    }
  }
}

extension ClockPattern.Reading {
  var daysSince1970: Int? {
    guard let year, let month, let day else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return civil.isValid ? civil.daysSince1970 : nil
  }
}
