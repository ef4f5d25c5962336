package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Threads in columns: id, time of the newest answer, answers, unread ones, who began it, where, and its first words.
package struct ThreadTable {
  private let clock: WallClock
  private let isOfSeveral: Bool
  private let showsIDs: Bool

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - timeZone: The zone of the times shown.
  ///   - isOfSeveral: Whether conversations are told.
  ///   - showsIDs: Whether ids are shown.
  package init(timeZone: TimeZone, isOfSeveral: Bool, showsIDs: Bool = true) {
    clock = WallClock(zone: timeZone)
    self.isOfSeveral = isOfSeveral
    self.showsIDs = showsIDs
  }

  /// Returns a line per thread. On a narrow terminal texts are cut, then conversations and names, and ids are left out.
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

  /// Returns how many answers a thread has.
  package static func count(of thread: ThreadAnswer) -> String {
    guard thread.exact == false else { return NumberText.counted(thread.answers, "answer") }
    return "\(NumberText.grouped(thread.answers))+ answers"
  }

  /// Returns the words by which a thread is known.
  package static func words(of thread: ThreadAnswer) -> String {
    if thread.missing == true { return "(its first message is not in the store)" }
    return VisibleText.of(thread.text ?? "", keepsTabs: false)
  }
}
