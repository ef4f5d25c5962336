/// A line of aider's history, by what aider has put before and behind it.
///
/// Lines that a person typed begin with `#### ` and what aider itself says with `> `; all others are the model's. Behind the
/// first two stand two spaces: headings and quotations of the model's Markdown look the same but for those.
enum AiderLine {
  /// The beginning of a session, and its time.
  case start(Bytes)
  case question(Bytes)
  /// A line of aider's own.
  ///
  /// - Parameter isEnded: Whether what it says ends with it: a message of a commit may go on over several lines.
  case note(Bytes, isEnded: Bool)
  case text(Bytes)

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - hasMarks: Whether two spaces stand behind lines that are not the model's; some editors have taken them away.
  ///   - isInNotes: Whether aider's own lines came before it.
  init(_ line: Bytes, hasMarks: Bool, isInNotes: Bool) {
    if let time = Self.start(line) {
      self = .start(time)
      return
    }
    let isMarked = Self.isMarked(line)
    if let question = line.after("####"), isMarked || !hasMarks, Self.isSeparate(question) {
      self = .question(Self.content(question))
    } else if let note = line.after(">"), isMarked || !hasMarks || isInNotes, Self.isSeparate(note) {
      self = .note(Self.content(note), isEnded: isMarked || !hasMarks)
    } else {
      self = .text(line)
    }
  }

  /// Returns the time with which a session begins, if a line says so.
  static func start(_ line: Bytes) -> Bytes? {
    guard let rest = line.after("# aider chat started at ") else { return nil }
    let time = withoutTrailingSpaces(rest)
    // 2024-05-01 10:00:00
    guard time.count == 19, time[4] == UInt8(ascii: "-"), time[10] == 0x20, time[13] == UInt8(ascii: ":")
    else {
      return nil
    }
    return time
  }

  /// Whether a line without its end may be the beginning of one with which a session begins.
  static func mayBecomeStart(_ line: Bytes) -> Bool {
    if line.has("# aider chat started at") { return start(line) == nil }
    return !line.isEmpty && "# aider chat started at".utf8.starts(with: line)
  }

  /// Whether a line without its end may become one of another sort than it looks: a question or a note whose mark is still to come,
  /// the beginning of a session or of a thought.
  static func mayBecomeOther(_ line: Bytes, hasMarks: Bool) -> Bool {
    if mayBecomeStart(line) { return true }
    let isBegun = { (sign: StaticString) in
      line.has(sign) || !line.isEmpty && sign.withUTF8Buffer { $0.starts(with: line) }
    }
    if isBegun("<think") { return AiderThought(line) == nil }
    return (isBegun("#### ") || isBegun("> ")) && hasMarks && !isMarked(line)
  }

  /// Whether two spaces stand behind a line.
  static func isMarked(_ line: Bytes) -> Bool {
    line.count >= 2 && line[line.count - 1] == 0x20 && line[line.count - 2] == 0x20
  }

  private static func isSeparate(_ rest: Bytes) -> Bool { rest.isEmpty || rest[0] == 0x20 }

  /// The rest behind the mark before a line, without the spaces behind it.
  private static func content(_ rest: Bytes) -> Bytes {
    withoutTrailingSpaces(rest.isEmpty ? rest : rest.dropping(1))
  }

  /// Returns a line without the spaces behind it.
  static func withoutTrailingSpaces(_ bytes: Bytes) -> Bytes {
    var count = bytes.count
    while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
    return bytes.first(count)
  }
}

/// The marks between which aider writes what a model thought.
struct AiderThought {
  /// The line with which the thought ends.
  let end: [UInt8]

  /// Reads the line with which a thought begins; `nil` if it is another one.
  init?(_ line: Bytes) {
    guard line.count > 2, line.count <= 64, line.has("<think"), line[line.count - 1] == UInt8(ascii: ">"),
      line.has("<think>") && line.count == 7 || line.has("<thinking-content-") || line.has("<thinking>")
    else { return nil }
    end = Array("</".utf8) + Array(line.dropFirst())
  }

  /// Whether a line ends the thought.
  func ends(with line: Bytes) -> Bool { line.elementsEqual(end) }
}
