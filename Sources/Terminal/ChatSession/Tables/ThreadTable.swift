package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Threads in columns: id, newest reply's time, replies, unread ones, first sender, conversation, and first
/// words.
package struct ThreadTable {
  private let clock: WallClock
  private let isOfSeveral: Bool
  private let showsIDs: Bool

  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - isOfSeveral: Whether to show conversations.
  ///   - showsIDs: Whether to show ids.
  package init(timeZone: TimeZone, isOfSeveral: Bool, showsIDs: Bool = true) {
    clock = WallClock(zone: timeZone)
    self.isOfSeveral = isOfSeveral
    self.showsIDs = showsIDs
  }

  /// A narrow terminal cuts texts, then conversations and names, and omits ids.
  package func text(of threads: [ThreadAnswer], layout: TableLayout = .plain) -> String {
    var clock = clock
    let rows = threads.map { thread in
      [
        Span(showsIDs ? "#\(thread.id)" : "", .dim),
        Span(DateText.minute(of: thread.newestTime, thread.newestPrecision, &clock), .dim),
        Span(Self.count(of: thread)),
        Span(thread.unread.map { "\(NumberText.grouped($0)) new" } ?? "", Style(color: .notice)),
        Span(
          VisibleText.of(thread.sender ?? "", keepsTabs: false),
          thread.sender.map { .sender(SafeText.oneLine($0)) } ?? .plain),
        Span(isOfSeveral ? VisibleText.of(thread.conversation, keepsTabs: false) : "", .heading),
        Span(Self.words(of: thread), thread.missing == true ? .dim : .plain),
      ]
    }
    return TextTable.text(
      ofUsed: rows, alignsRight: [2], layout: layout, cutting: [6, 5, 4], leavingOut: [0])
  }

  package static func count(of thread: ThreadAnswer) -> String {
    let isMore = thread.exact == false
    let noun = thread.answers == 1 && !isMore ? "reply" : "replies"
    return "\(NumberText.grouped(thread.answers))\(isMore ? "+" : "") \(noun)"
  }

  package static func words(of thread: ThreadAnswer) -> String {
    if thread.missing == true { return "(its first message is not in the store)" }
    return VisibleText.of(thread.text ?? "", keepsTabs: false)
  }
}
