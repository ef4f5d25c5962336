internal import CFiles
internal import Foundation
internal import MessageModel
internal import TerminalText

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

/// Opens an address in the desktop's program, as a single argument and without a shell.
package enum LinkOpener {
  #if os(macOS)
    package static let program = "open"
  #else
    package static let program = "xdg-open"
  #endif

  private static let patience = Duration.seconds(2)

  /// Throws ``UsageError`` for an unsupported address, or if the program fails soon.
  package static func open(
    _ address: String, by program: String = program, isCancelled: () -> Bool
  ) throws(UsageError) {
    guard WebLinks.canBeOpened(address) else {
      throw UsageError(
        "that link is not opened", cause: "only http, https and mailto are", remedy: "/url LETTER copy")
    }
    var child: Int32 = -1
    let number = cfiles_run(program, address, &child)
    guard number == 0 else {
      throw UsageError(
        "cannot run \(program)", cause: String(cString: strerror(number)), remedy: "/url LETTER copy")
    }
    let end = ContinuousClock.now + patience
    while .now < end, !isCancelled() {
      let status = cfiles_ended(child)
      if status == 0 { return }
      guard status < 0 else {
        throw UsageError(
          "\(program) could not open it", cause: "it ended with status \(status)", remedy: "/url LETTER copy")
      }
      usleep(20_000)
    }
  }
}
