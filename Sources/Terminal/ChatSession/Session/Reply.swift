/// A reply of a session to its reader.
package enum Reply: Hashable, Sendable {
  /// A sentence on what was done.
  case notice(String)
  /// A sentence on what a window shows by itself: told where there is none.
  case echo(String)
  /// The thing asked for is not there; a script fails by it.
  case miss(String)
  case listing(Listing)
  /// The words that the one being typed may become.
  case choices([String])
  case question(Question)
  /// A text for the clipboard, or to be printed where the terminal has no part in it.
  case clipboard(String)
  case summary(Summary)
  /// The work of a lane was stopped, as somebody wanted.
  case stopped(Job.Lane)

  /// The end of long work.
  package struct Summary: Hashable, Sendable {
    /// The work done, in one line.
    var text: String
    /// The parts left out, and why.
    var skipped: [String] = []
    var status = ExitStatus.done
  }
}
