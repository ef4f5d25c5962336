/// A line of aider's history, by the marks around it.
///
/// A person's lines begin with `#### `, aider's own with `> `; all others are the model's. Two spaces at the
/// end tell the former from headings and quotes in the model's Markdown.
enum AiderLine {
  /// A session's beginning, with its time.
  case start(Bytes)
  case question(Bytes)
  /// A line of aider's own.
  ///
  /// - Parameter isEnded: Whether the note ends here: a commit message may continue on further lines.
  case note(Bytes, isEnded: Bool)
  case text(Bytes)

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

  static func start(_ line: Bytes) -> Bytes? {
    guard let rest = line.after("# aider chat started at ") else { return nil }
    let time = withoutTrailingSpaces(rest)
    guard time.count == 19, time[4] == UInt8(ascii: "-"), time[10] == 0x20, time[13] == UInt8(ascii: ":")
    else {
      return nil
    }
    return time
  }

  static func mayBecomeStart(_ line: Bytes) -> Bool {
    if line.has("# aider chat started at") { return start(line) == nil }
    return !line.isEmpty && "# aider chat started at".utf8.starts(with: line)
  }

  /// Whether an incomplete line may become another kind: its mark may still follow.
  static func mayBecomeOther(_ line: Bytes, hasMarks: Bool) -> Bool {
    if mayBecomeStart(line) { return true }
    let isBegun = { (sign: StaticString) in
      line.has(sign) || !line.isEmpty && sign.withUTF8Buffer { $0.starts(with: line) }
    }
    if isBegun("<think") { return AiderThought(line) == nil }
    return (isBegun("#### ") || isBegun("> ")) && hasMarks && !isMarked(line)
  }

  static func isMarked(_ line: Bytes) -> Bool {
    line.count >= 2 && line[line.count - 1] == 0x20 && line[line.count - 2] == 0x20
  }

  private static func isSeparate(_ rest: Bytes) -> Bool { rest.isEmpty || rest[0] == 0x20 }

  private static func content(_ rest: Bytes) -> Bytes {
    withoutTrailingSpaces(rest.isEmpty ? rest : rest.dropping(1))
  }

  static func withoutTrailingSpaces(_ bytes: Bytes) -> Bytes {
    var count = bytes.count
    while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
    return bytes.first(count)
  }
}

struct AiderThought {
  let end: [UInt8]

  init?(_ line: Bytes) {
    guard line.count > 2, line.count <= 64, line.has("<think"), line[line.count - 1] == UInt8(ascii: ">"),
      line.has("<think>") && line.count == 7 || line.has("<thinking-content-") || line.has("<thinking>")
    else { return nil }
    end = Array("</".utf8) + Array(line.dropFirst())
  }

  func ends(with line: Bytes) -> Bool { line.elementsEqual(end) }
}
