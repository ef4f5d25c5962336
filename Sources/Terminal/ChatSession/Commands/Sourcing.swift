internal import Foundation
internal import TerminalText

/// `/source`: commands from a file run like typed lines, one after the other.
extension Session {
  private static var linesAtOnce: Int { 20 }

  /// Queues a file's commands before all others that wait.
  mutating func source(_ path: String) throws -> Effects {
    let lines = try CommandFile.lines(of: path, depth: sourcing.depth + 1)
    guard sourcing.lines.count + lines.count <= CommandFile.mostLines else {
      sourcing.lines = []
      throw UsageError("these files of commands have too many lines", cause: "they name each other")
    }
    sourcing.lines = lines + sourcing.lines
    return Effects()
  }

  /// Whether a command can run now: one at a time, and none while a question is open.
  var hasSourced: Bool {
    !sourcing.lines.isEmpty && transfer == nil && question == nil
      && !(search.map { $0.place == nil && !$0.isIndexed } ?? false)
  }

  mutating func runSourced() -> Effects {
    var effects = Effects()
    for _ in 0..<Self.linesAtOnce where hasSourced && !effects.leaves {
      let line = sourcing.lines.removeFirst()
      do {
        reader.putAway()
        sourcing.depth = line.depth
        defer { sourcing.depth = 0 }
        let next = try carryOut(try command(sourced: line))
        effects = effects.adding(next)
      } catch {
        sourcing.lines = []
        reader.complain(Self.error(error, at: line))
      }
    }
    return effects
  }

  mutating func command(sourced line: CommandFile.Line) throws -> TypedCommand? {
    guard CommandParser.isCommand(line.text) else {
      throw UsageError("commands start with /", cause: "plain text in a file of commands is never sent")
    }
    return try CommandParser.command(in: line.text)
  }

  static func error(_ error: any Error, at line: CommandFile.Line) -> UsageError {
    var error = UsageError(error)
    error.summary = "\(line.place): \(error.summary)"
    return error
  }
}

enum CommandFile {
  struct Line: Hashable, Sendable {
    var text: String
    /// `FILE:3`.
    var place: String
    /// `1` for a file named by hand.
    var depth: Int
  }

  struct Queue: Hashable, Sendable {
    var lines: [Line] = []
    /// The nesting depth of the present command's file; 0 for a typed command.
    var depth = 0
  }

  private static let mostBytes = 1 << 20
  static let mostDepth = 8
  static let mostLines = 10_000

  /// Throws ``UsageError`` if the file cannot be read, is not regular, or is too long.
  static func lines(of path: String, depth: Int) throws(UsageError) -> [Line] {
    let shown = SafeText.oneLine(path).cut(columns: 60)
    guard depth <= mostDepth else {
      throw UsageError(
        "cannot read '\(shown)'", cause: "command files are nested more than \(mostDepth) deep")
    }
    let text = try text(of: PathText.expanded(path), shown)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap {
        $1.allSatisfy(\.isWhitespace)
          ? nil : Line(text: String($1), place: "\(shown):\($0 + 1)", depth: depth)
      }
    guard lines.count <= mostLines else {
      throw UsageError(
        "cannot read '\(shown)'", cause: "it has more than \(NumberText.grouped(mostLines)) lines")
    }
    return lines
  }

  private static func text(of path: String, _ shown: String) throws(UsageError) -> String {
    func failure(_ cause: String, _ status: ExitStatus) -> UsageError {
      UsageError("cannot read '\(shown)'", cause: cause, status: status)
    }
    // Opening a pipe must not block.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure(String(cString: strerror(errno)), .noSuchFile) }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is not a regular file", .noSuchFile)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= mostBytes {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else { throw failure(String(cString: strerror(errno)), .inputOutput) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
    throw failure("it has more than \(NumberText.bytes(mostBytes))", .unreadableInput)
  }
}
