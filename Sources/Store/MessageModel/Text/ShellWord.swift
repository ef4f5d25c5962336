/// A word for the command line of a shell, as it stands in advice that somebody copies from the screen.
package enum ShellWord {
  /// Returns a word in quotes in which no shell finds anything to do: no `$( )`, no comment, no blank.
  ///
  /// What would control a terminal is made visible; such a word names nothing, and runs nothing.
  package static func quoted(_ word: some CustomStringConvertible) -> String {
    let visible = VisibleText.of(word.description, keepsTabs: false)
    return "'" + visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
