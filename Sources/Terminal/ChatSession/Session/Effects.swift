/// What an event asks the terminal's owner to do, with the replies.
package struct Effects: Sendable {
  /// Replies that the session's reader has already received.
  package var replies: [Reply] = []
  /// Jobs for other threads.
  package var jobs: [Job] = []
  /// Lanes whose work stops before the jobs begin.
  package var stops: Set<Job.Lane> = []
  /// Text for the line: a message that could not be written, or one to edit.
  package var line: String?
  /// Whether the typed text is obsolete.
  package var emptiesLine = false
  /// The prefix to remove from the typed line: it belonged to something closed.
  package var droppedLine: String?
  /// Whether to leave.
  package var leaves = false
  /// Settings to save.
  package var settings: [String: String]?

  package var clipboard: String? {
    for case .clipboard(let text) in replies { return text }
    return nil
  }

  init(
    _ replies: Reply..., jobs: [Job] = [], stops: Set<Job.Lane> = [], emptiesLine: Bool = false,
    leaves: Bool = false
  ) {
    self.replies = replies
    self.jobs = jobs
    self.stops = stops
    self.emptiesLine = emptiesLine
    self.leaves = leaves
  }

  /// Records the command in its lists, so that they can be renewed when the store changes.
  func listed(by command: ReplCommand) -> Effects {
    var listed = self
    listed.replies = replies.map { reply in
      guard case .listing(var listing) = reply, listing.choice.isOfStore else { return reply }
      listing.command = command
      return .listing(listing)
    }
    return listed
  }

  var listing: Listing? {
    for case .listing(let listing) in replies { return listing }
    return nil
  }

  func adding(_ other: Effects) -> Effects {
    var both = other
    both.replies = replies + other.replies
    both.jobs = jobs + other.jobs
    both.stops = stops.union(other.stops)
    both.line = other.line ?? line
    both.leaves = leaves || other.leaves
    both.settings = other.settings ?? settings
    both.emptiesLine = emptiesLine || other.emptiesLine
    return both
  }
}

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
