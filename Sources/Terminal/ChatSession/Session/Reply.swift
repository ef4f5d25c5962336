package enum Reply: Hashable, Sendable {
  /// What was done.
  case notice(String)
  /// What a window shows anyway: printed elsewhere.
  case echo(String)
  /// What was asked for does not exist; a script fails.
  case miss(String)
  case listing(Listing)
  /// Completions of the typed word.
  case choices([String])
  case question(Question)
  /// Text for the clipboard, or to print without a terminal.
  case clipboard(String)
  case summary(Summary)
  /// The user stopped a lane's work.
  case stopped(Job.Lane)

  /// The outcome of long work.
  package struct Summary: Hashable, Sendable {
    var text: String
    var skipped: [String] = []
    var status = ExitStatus.done
  }
}
