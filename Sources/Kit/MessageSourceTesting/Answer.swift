import MessageModel

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
