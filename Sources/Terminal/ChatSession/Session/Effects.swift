/// The effects of an event of a session: what it asks of whoever owns the terminal, and the replies.
package struct Effects: Sendable {
  /// The replies. The reader of the session has been told when the owner of the terminal learns of them.
  package var replies: [Reply] = []
  /// The jobs to do on other threads.
  package var jobs: [Job] = []
  /// The lanes in which to stop what is under way, before the jobs begin.
  package var stops: Set<Job.Lane> = []
  /// The text to put into the line: a message that could not be written, or one to be edited.
  package var line: String?
  /// Whether what is in the line is of no use any more.
  package var emptiesLine = false
  /// The text to remove from the beginning of the line being typed: it belonged to something that is closed.
  package var droppedLine: String?
  /// Whether to leave.
  package var leaves = false
  /// The settings to remember for the next run.
  package var settings: [String: String]?

  /// The text to put into the clipboard.
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

  /// Returns the effects with lists that know the command by which they are made again when the store has changed.
  func listed(by command: ReplCommand) -> Effects {
    var listed = self
    listed.replies = replies.map { reply in
      guard case .listing(var listing) = reply, listing.choice.isOfStore else { return reply }
      listing.command = command
      return .listing(listing)
    }
    return listed
  }

  /// The list to be shown; `nil` if there is none.
  var listing: Listing? {
    for case .listing(let listing) in replies { return listing }
    return nil
  }

  /// Returns these effects and then others, of the same event.
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
