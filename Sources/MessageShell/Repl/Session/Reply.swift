/// What a session tells its reader.
package enum Reply: Hashable, Sendable {
  /// A sentence on what was done.
  case notice(String)
  /// A sentence on what a window shows by itself: told where there is none.
  case echo(String)
  /// What was asked for is not there; a script fails by it.
  case miss(String)
  case listing(Listing)
  case question(Question)
  /// A text for the clipboard, or to be printed where the terminal has no part in it.
  case clipboard(String)
  case summary(Summary)
  /// The work of a lane was stopped, as somebody wanted.
  case stopped(Job.Lane)

  /// How long work ended.
  package struct Summary: Hashable, Sendable {
    /// What was done, in one line.
    var text: String
    /// What was left out, and why.
    var skipped: [String] = []
    var status = ExitStatus.done
  }
}
