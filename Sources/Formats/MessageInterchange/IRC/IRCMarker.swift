internal import MessageModel

/// A line that is no message and tells something about those that follow.
enum IRCMarker: Sendable {
  /// Begins with these words, and then tells the day of what follows.
  case day(StaticString, ClockPattern)
  /// Begins with these words, and then tells the day on which a session begins.
  case session(StaticString, ClockPattern)
  /// Begins with these words, and in any place behind them tells the day on which a session begins or ends.
  case sessionSomewhere(StaticString, ClockPattern)
  /// Begins with these words, and then names the conversation.
  case conversation(StaticString)
  /// Begins with these words, and tells nothing.
  case nothing(StaticString)

  /// The meaning of a marker.
  enum Meaning {
    /// The day of what follows, counted from 1970-01-01.
    case day(Int)
    /// The day of the first line that follows, counted from 1970-01-01.
    case session(Int)
    case conversation(String)
    case nothing
  }

  /// Whether `line` is this marker.
  func fits(_ line: Bytes) -> Bool { read(line) != nil }

  /// Returns what `line` tells if it is this marker.
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
  /// The day, counted from 1970-01-01; `nil` if a part of it is not told or there is no such day.
  var daysSince1970: Int? {
    guard let year, let month, let day else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return civil.isValid ? civil.daysSince1970 : nil
  }
}
