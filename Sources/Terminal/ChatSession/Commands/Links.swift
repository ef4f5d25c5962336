internal import MessageModel
internal import TerminalText

/// `/url`.
extension Session {
  mutating func url(
    _ id: Message.ID, _ number: Int?, _ action: ReplCommand.LinkAction
  ) throws -> Effects {
    let links = WebLinks.addresses(in: try context.wholeText(of: id))
    guard !links.isEmpty else { throw UsageError("message #\(id) has no link", status: .nothingFound) }
    if action == .show, number == nil {
      let shown = links.count == 1 ? links : links.enumerated().map { "\($0 + 1)  \($1)" }
      return Effects(.listing(Listing(lines: shown)))
    }
    guard let link = number.map({ links.indices.contains($0 - 1) ? links[$0 - 1] : nil }) ?? links.first,
      number != nil || links.count == 1
    else {
      throw UsageError(
        "message #\(id) has \(NumberText.counted(links.count, "link"))",
        remedy: "a number from 1 to \(links.count)")
    }
    switch action {
    case .show: return Effects(.listing(Listing(lines: [link])))
    case .copy: return copying(link)
    case .open:
      guard reader.traits.isAttended else {
        throw UsageError("links can only be opened in the window", remedy: "/url #\(id)")
      }
      return Effects(
        .notice("opening \(link)"),
        jobs: [Job(.opening) { [open = context.openLink] _, isCancelled in try open(link, isCancelled) }])
    }
  }
}
