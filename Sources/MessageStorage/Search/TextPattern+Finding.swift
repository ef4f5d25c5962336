#if !PCRE2
  /// A regular expression.
  typealias TextPattern = FoundationPattern
#endif

/// A text takes more work than is allowed to match it.
struct TooCostly: Error {}

extension TextPattern {
  /// Returns the expression that finds just this text, in upper and lower case alike.
  static func finding(_ text: String) -> String {
    "(?i)"
      + text.split(separator: "\\E", omittingEmptySubsequences: false).map { "\\Q\($0)\\E" }
      .joined(separator: "\\\\E")
  }
}
