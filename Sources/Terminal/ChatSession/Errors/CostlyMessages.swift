package import MessageModel
internal import TerminalText

/// Reports messages skipped because a regular expression took too long on them.
package enum CostlyMessages {
  private static let namedCount = 20

  /// `nil` if there are none.
  package static func error(_ ids: [Message.ID]) -> UsageError? {
    guard !ids.isEmpty else { return nil }
    let names = ids.prefix(namedCount).map { "#\($0)" }.joined(separator: ", ")
    let others = ids.count > namedCount ? " and \(NumberText.grouped(ids.count - namedCount)) more" : ""
    return UsageError(
      "skipped \(NumberText.counted(ids.count, "message"))",
      cause: "the regular expression takes too long on \(names)\(others)",
      remedy: "an expression that repeats nothing within a repetition", status: .incomplete)
  }
}
