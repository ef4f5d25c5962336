import MessageModel

/// A rule for every source, from the documentation of `MessageSource` and `PageRequest`.
public enum SourceRule: String, Hashable, Sendable, CaseIterable {
  /// A valid request succeeds.
  case answered
  /// A negative limit or offset is refused.
  case refused
  /// A page contains only messages of its selection.
  case selected
  /// Messages have the order of the request.
  case ordered
  /// A page is as long as its limit, or contains everything up to an end.
  case complete
  /// A page contains the messages next to its anchor.
  case neighbours
  /// A message has its own text, length, conversation and, if compared, kind, sender and replied-to message.
  case content
  /// A message whose text was changed is marked as edited.
  case edited
  /// Each change of a message increases its revision.
  case revision
  /// The ends that a page reports are exact.
  case ends
  /// A page that stops at gaps reports the gaps beyond its ends.
  case gaps
  /// A page reports the message that its anchor led to, and how.
  case resolution
  /// Counts are present only if requested.
  case counted
  /// Exact counts are those of the selection.
  case counts
  /// The version counts the changes in the conversations of the selection.
  case version
  /// An appended message is the last of its conversation.
  case appended
  /// A message inserted at a time lies within that millisecond.
  case inserted
  /// No id is reused.
  case unused
  /// A valid change succeeds.
  case written
  /// Changes are reported.
  case told

  /// The rule as a sentence.
  public var sentence: String {
    switch self {
    case .answered: "a request that makes sense is answered, with no error"
    case .refused: "a negative limit or offset is refused with an error of kind invalidRequest"
    case .selected: "a page holds messages of its selection alone"
    case .ordered: "the messages of a page come in the order of the request"
    case .complete: "a page holds as many messages as its limit says or, at an end, all there are"
    case .neighbours: "a page holds the messages next to its anchor, without a hole"
    case .content: "a message is given as it was written"
    case .edited: "isEdited says whether the text was changed since it was written"
    case .revision: "the revision is one more after each change of a message"
    case .ends: "hasOlder and hasNewer are exact"
    case .gaps: "a page that stops at gaps has the gap directly beyond an end"
    case .resolution: "the resolution says which message the anchor led to, and how"
    case .counted: "counts come if the request wants them, and only then"
    case .counts: "counts that are said to be exact are those of the selection"
    case .version:
      "the version counts what came, went and changed in the conversations of the selection, and nothing else"
    case .appended: "what is appended gets an id above all of its conversation"
    case .inserted: "what is inserted at a moment gets an id within that millisecond"
    case .unused: "no id is given twice, not even that of a deleted message or conversation"
    case .written: "a change that makes sense is carried out, with no error"
    case .told: "changes() yields at once, and again after each commit"
    }
  }
}

extension PageAnchor {
  var sentence: String {
    switch self {
    case .newest: "from the newest on"
    case .oldest: "from the oldest on"
    case .before: "what is older than an id, which need not exist and is not among it"
    case .after: "what is newer than an id, which need not exist and is not among it"
    case .around:
      "the message with an id, else the next older one (nearestOlder), else the next newer one (nearestNewer); beyondGap in a gap"
    case .time: "the first message at or after a moment (exact), else the last before it (nearestOlder)"
    case .ordinal: "the message with an ordinal, moved to the nearer end if there is none (clamped)"
    case .percent:
      "the message at a part of the way, by PageAnchor.ordinal(atPercent:of:), moved to the nearer end (clamped)"
    case .firstUnread:
      "the first message after the read mark of the one conversation (exact), else as from the newest on"
    }
  }
}

extension PageRequest {
  var sentence: String {
    let conversations =
      switch selection.conversations {
      case .all: "all conversations"
      case .some(let ids): "conversations \(ids.map(\.rawValue).sorted())"
      }
    var parts = ["anchor \(anchor)", "limit \(fetchLimit)"]
    if fetchOffset != 0 { parts.append("offset \(fetchOffset)") }
    if let olderShare { parts.append("olderShare \(olderShare)") }
    if stopsAtGaps { parts.append("stopping at gaps") }
    parts.append(order == .oldestFirst ? "oldest first" : "newest first")
    parts.append(wantsCounts ? "with counts" : "without counts")
    parts.append("of \(conversations)")
    if selection.predicate != .everything { parts.append("where \(selection.predicate)") }
    return parts.joined(separator: ", ")
  }
}
