internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import TerminalText

/// `/sessions`.
extension Session {
  private static var listedSessions: Int { 200 }

  /// - Parameter id: The message before which the sessions' newest messages lie; `nil` for all.
  func listSessions(_ query: String, before id: Message.ID?) throws -> Effects {
    let found = try QuestionAnswerer(context.store).sessions(
      matching: query, before: id, limit: Self.listedSessions, timeZone: context.zone)
    guard !found.sessions.isEmpty else {
      let isAny = query.isEmpty && id == nil
      return list(
        [isAny ? "there are no sessions of assistants here" : "no session matches"], isBrief: true)
    }
    let table = SessionTable(
      timeZone: context.zone, home: ProcessInfo.processInfo.environment["HOME"])
    let layout = TableLayout(columns: reader.traits.isAttended ? reader.traits.columns : nil)
    var lines = ReplContext.lines(table.text(of: found.sessions, layout: layout))
    var names = found.sessions.map { session in
      let words = [
        session.program, session.project ?? "", session.branch ?? "", session.models.joined(separator: " "),
      ]
      let title = "\(SessionTable.title(of: session)) \(session.conversation)"
      return "#\(session.newest) \(SafeText.oneLine((words + [title]).joined(separator: " ")))"
    }
    if let next = found.next {
      lines.append("… older ones: /sessions #\(next)\(query.isEmpty ? "" : " \(query)")")
      names.append("\(Listing.olderThreads) #\(next) \(query)")
    }
    return Effects(.listing(Listing(lines: lines, choice: .session, names: names)))
  }
}
