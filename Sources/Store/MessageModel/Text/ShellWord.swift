/// Quotes words of commands that people copy from the screen.
package enum ShellWord {
  /// Returns a quoted word in which a shell expands nothing.
  ///
  /// Terminal controls become visible; such a word names nothing and runs nothing.
  package static func quoted(_ word: some CustomStringConvertible) -> String {
    let visible = VisibleText.of(word.description, keepsTabs: false)
    return "'" + visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
