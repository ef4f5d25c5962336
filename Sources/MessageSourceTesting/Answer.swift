import MessageModel

/// The part of a page that a check compares.
struct Answer: Equatable, CustomStringConvertible {
  private struct Line: Equatable {
    var id: Message.ID
    var conversation: Conversation.ID
    var text: String
    var revision: Int
  }

  private var lines: [Line]
  private var hasOlder: Bool
  private var hasNewer: Bool
  private var resolution: Page.Resolution
  private var version: SourceVersion
  var counts: Page.Counts?

  /// Takes from `page` what is compared, with its version counted from `start`.
  init(_ page: Page, since start: SourceVersion) {
    lines = page.messages.map {
      Line(id: $0.id, conversation: $0.conversation, text: $0.text, revision: $0.revision)
    }
    hasOlder = page.hasOlder
    hasNewer = page.hasNewer
    resolution = page.resolution
    counts = page.counts
    version = SourceVersion(
      inserted: page.version.inserted - start.inserted, deleted: page.version.deleted - start.deleted,
      changed: page.version.changed - start.changed)
  }

  var description: String {
    let ids = lines.map { "\($0.id)·\($0.conversation.rawValue) r\($0.revision) '\($0.text)'" }
      .joined(separator: ", ")
    let place = counts.map { "from \($0.firstOrdinal) of \($0.total)\($0.isExact ? "" : " (estimated)")" }
    return "\(hasOlder ? "…" : "[") \(ids) \(hasNewer ? "…" : "]") \(place ?? "uncounted"), "
      + "\(resolution.match) \(resolution.message?.description ?? "-"), "
      + "+\(version.inserted) −\(version.deleted) ~\(version.changed)"
  }
}
