internal import ChatSession
internal import Foundation
internal import MessageModel
internal import TerminalText

/// Lines of a file on disk, as an argument names them: `src/x.swift:120`, `src/x.swift:120-140`.
struct FileLines {
  /// As sessions may name it: relative if it was typed so, else absolute.
  let path: String
  /// The number of the first line.
  private(set) var first = 1
  /// The texts of the lines; empty if none were asked for, or the file cannot be read.
  private(set) var texts: [String] = []
  /// Why the lines were not read, for people.
  private(set) var trouble: String?

  private static let mostLines = 1_000
  private static let byteLimit = 64 << 20

  /// Throws ``UsageError`` if the file does not have the lines.
  init(_ argument: String) throws(UsageError) {
    let (typed, numbers) = Self.parts(of: argument)
    let isOfHere = !typed.hasPrefix("/") && !typed.split(separator: "/").contains("..")
    path = isOfHere ? typed : URL(fileURLWithPath: typed).standardizedFileURL.path
    guard let numbers else { return }
    let ends = numbers.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first > 0, last >= first,
      last - first < Self.mostLines
    else {
      throw UsageError(
        "'\(VisibleText.of(argument))' names no lines", cause: "at most \(Self.mostLines), counted from 1",
        remedy: "FILE:120 or FILE:120-140")
    }
    self.first = first
    try read(typed, first...last)
  }

  /// Divides `a.swift:3-5` into path and numbers; compilers write a column behind a line: `a.swift:3:12`.
  private static func parts(of argument: String) -> (path: String, numbers: String?) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    func isNumber(_ part: Substring) -> Bool {
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
    let behind = parts.dropFirst().reversed().prefix(2).prefix(while: isNumber)
    guard let numbers = behind.last, !exists(argument) else { return (argument, nil) }
    return (parts.dropLast(behind.count).joined(separator: ":"), String(numbers))
  }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private mutating func read(_ typed: String, _ range: ClosedRange<Int>) throws(UsageError) {
    let name = VisibleText.of(typed, keepsTabs: false)
    guard Self.exists(typed) else {
      trouble = "'\(name)' is not there: its lines are not compared"
      return
    }
    let place = URL(fileURLWithPath: typed).resolvingSymlinksInPath().path
    let facts = try? FileManager.default.attributesOfItem(atPath: place)
    guard facts?[.type] as? FileAttributeType == .typeRegular, let size = facts?[.size] as? Int,
      size <= Self.byteLimit, let data = FileManager.default.contents(atPath: place)
    else {
      trouble = "'\(name)' cannot be read: its lines are not compared"
      return
    }
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard range.upperBound <= lines.count else {
      throw UsageError("'\(name)' has \(NumberText.counted(lines.count, "line"))")
    }
    texts = lines[(range.lowerBound - 1)..<range.upperBound].map { String(decoding: $0, as: UTF8.self) }
  }
}
