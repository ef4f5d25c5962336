package import Foundation
package import HistoryQueries
package import MessageModel
package import TerminalText

/// Links or files in columns: id, time, sender, conversation, item and text.
package struct SharedTable {
  private var clock: WallClock
  private let isOfSeveral: Bool

  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - isOfSeveral: Whether to show conversations.
  package init(timeZone: TimeZone, isOfSeveral: Bool) {
    clock = WallClock(zone: timeZone)
    self.isOfSeveral = isOfSeveral
  }

  /// A narrow terminal cuts texts, then conversations and names, and omits ids.
  package func text(of shared: [SharedThingAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    let rows = shared.map { thing in
      [
        Span("#\(thing.id)", .dim), Span(DateText.minute(of: thing.time, thing.precision, &clock), .dim),
        Span(
          VisibleText.of(thing.sender ?? "", keepsTabs: false),
          thing.sender.map { .sender(SafeText.oneLine($0)) } ?? .plain),
        Span(isOfSeveral ? VisibleText.of(thing.conversation, keepsTabs: false) : "", .heading),
        Span(Self.name(of: thing)), Span(VisibleText.of(Self.text(beside: thing), keepsTabs: false), .dim),
      ]
    }
    return TextTable.text(rows, layout: layout, cutting: [5, 3, 2, 4], leavingOut: [0, 5])
  }

  private static func name(of thing: SharedThingAnswer) -> String {
    if let url = thing.url { return VisibleText.of(url, keepsTabs: false) }
    guard let file = thing.attachment else { return "" }
    let size = file.bytes.map { NumberText.bytes($0) }
    let parts = [file.name, file.type, size].compactMap(\.self)
    return parts.map { VisibleText.of($0, keepsTabs: false) }.joined(separator: "  ")
  }

  /// The text without the address itself.
  private static func text(beside thing: SharedThingAnswer) -> String {
    guard let url = thing.url, let text = thing.text else { return thing.text ?? "" }
    let rest = text.split(separator: " ").filter { $0 != url }
    return rest.joined(separator: " ")
  }
}

package enum AttachmentText {
  /// `photo.jpg  image/jpeg  2.1 MB  4000 × 3000`
  package static func text(of file: Message.Attachment) -> String {
    var parts = [file.name, file.mediaType ?? "", file.byteCount.map { NumberText.bytes($0) } ?? ""]
    if let size = file.pixelSize { parts.append("\(size.width) × \(size.height)") }
    if let duration = file.durationMilliseconds { parts.append("\(duration / 1_000) s") }
    if !file.isStored { parts.append("(not in the store)") }
    if case .refused(let reason) = file.pictures { parts.append("(no thumbnail: \(reason.rawValue))") }
    return parts.filter { !$0.isEmpty }.map { VisibleText.of($0, keepsTabs: false) }.joined(separator: "  ")
  }
}
