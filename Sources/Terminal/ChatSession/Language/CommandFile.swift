internal import Foundation
internal import TerminalText

/// A file of commands, for `/source`.
enum CommandFile {
  /// A line of one.
  struct Line: Hashable, Sendable {
    var text: String
    /// The place of the line: `FILE:3`.
    var place: String
    /// The number of files that it is in: 1 for one that was named by hand.
    var depth: Int
  }

  /// The most bytes of a file.
  private static let mostBytes = 1 << 20
  /// The most files that name each other.
  static let mostDepth = 8
  /// The most lines that wait.
  static let mostLines = 10_000

  /// Returns the lines of a file but for empty ones.
  ///
  /// - Throws: ``UsageError`` if it cannot be read, is no regular file, or has too much in it.
  static func lines(of path: String, depth: Int) throws(UsageError) -> [Line] {
    let shown = SafeText.oneLine(path).cut(columns: 60)
    guard depth <= mostDepth else {
      throw UsageError(
        "cannot read '\(shown)'", cause: "\(mostDepth) files of commands name each other already")
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
    // A pipe would be waited for.
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
