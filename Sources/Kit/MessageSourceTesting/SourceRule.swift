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

struct Answer: CustomStringConvertible {
  var page: Page
  var version: SourceVersion

  init(_ page: Page, since start: SourceVersion) {
    self.page = page
    // Overflow is allowed, since a source may count from any number.
    version = SourceVersion(
      inserted: page.version.inserted &- start.inserted, deleted: page.version.deleted &- start.deleted,
      changed: page.version.changed &- start.changed)
  }

  /// The first rule that `found` breaks as the reply to `request`; `nil` if it breaks none.
  ///
  /// - Parameter comparesAll: Whether kinds, senders and replies are known, too.
  func rule(brokenBy found: Answer, to request: PageRequest, comparesAll: Bool) -> SourceRule? {
    messageRule(found.page.messages, request) ?? contentRule(found.page.messages, comparesAll)
      ?? placeRule(found)
  }

  private func messageRule(_ found: [Message], _ request: PageRequest) -> SourceRule? {
    let (expectedIDs, foundIDs) = (page.messages.map(\.id), found.map(\.id))
    if expectedIDs == foundIDs { return nil }
    let strangers = Set(foundIDs).subtracting(expectedIDs)
    if found.contains(where: { strangers.contains($0.id) && !request.selection.contains($0) }) {
      return .selected
    }
    if expectedIDs.sorted() == foundIDs.sorted() { return .ordered }
    return expectedIDs.count == foundIDs.count ? .neighbours : .complete
  }

  private func contentRule(_ found: [Message], _ comparesAll: Bool) -> SourceRule? {
    for (expected, found) in zip(page.messages, found) {
      if expected.text != found.text || expected.textByteCount != found.textByteCount
        || expected.conversation != found.conversation || expected.time != found.time
      {
        return .content
      }
      if comparesAll,
        expected.kind != found.kind || expected.sender?.name != found.sender?.name
          || expected.replyTo != found.replyTo
      {
        return .content
      }
      if expected.isEdited != found.isEdited { return .edited }
      if expected.revision != found.revision { return .revision }
    }
    return nil
  }

  private func placeRule(_ found: Answer) -> SourceRule? {
    let other = found.page
    if page.hasOlder != other.hasOlder || page.hasNewer != other.hasNewer { return .ends }
    if page.olderGap != other.olderGap || page.newerGap != other.newerGap { return .gaps }
    if page.resolution != other.resolution { return .resolution }
    if (page.counts == nil) != (other.counts == nil) { return .counted }
    if let counts = other.counts, counts.isExact, counts != page.counts { return .counts }
    return version == found.version ? nil : .version
  }

  var description: String {
    var lines = page.messages.prefix(Self.most).map {
      "\($0.id)·\($0.conversation.rawValue) r\($0.revision)\($0.isEdited ? " edited" : "") '\($0.text.prefix(60))'"
        + ($0.isTextCut || $0.textByteCount < $0.text.utf8.count ? " of \($0.textByteCount) bytes" : "")
    }
    if page.messages.count > Self.most { lines.append("and \(page.messages.count - Self.most) more") }
    let place = page.counts.map {
      "from \($0.firstOrdinal) of \($0.total)\($0.isExact ? "" : " (estimated)")"
    }
    return
      "\(Self.sign(page.olderGap))\(page.hasOlder ? "…" : "[") \(lines.joined(separator: ", ")) \(page.hasNewer ? "…" : "]")\(Self.sign(page.newerGap)) "
      + "\(place ?? "uncounted"), \(page.resolution.match) \(page.resolution.message?.description ?? "-"), "
      + "+\(version.inserted) −\(version.deleted) ~\(version.changed)"
  }

  private static func sign(_ gap: MessageGap?) -> String {
    guard let gap else { return "" }
    return "<gap \(gap.after?.description ?? "-")…\(gap.before?.description ?? "-") \(gap.token ?? "")>"
  }

  private static let most = 60
}
