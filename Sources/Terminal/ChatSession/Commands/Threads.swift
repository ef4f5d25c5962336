internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/threads`, and queries that name threads by letters.
extension Session {
  private static var listedThreads: Int { 200 }

  /// - Parameter id: The message before which the newest replies lie; `nil` for the newest.
  func listThreads(before id: Message.ID?) throws -> Effects {
    let isStopped = SynchronousMessageStore.isCancelled ?? { Interruption.isAskedFor }
    let conversations = context.selection.conversations
    let found = try QuestionAnswerer(context.store).threads(
      in: conversations, before: id, limit: Self.listedThreads, isCancelled: isStopped)
    guard !found.threads.isEmpty else {
      return list([id == nil ? "there are no threads here" : "there are no older threads"], isBrief: true)
    }
    let isOfSeveral = if case .some(let ids) = conversations { ids.count != 1 } else { true }
    let table = ThreadTable(
      timeZone: context.zone, isOfSeveral: isOfSeveral, showsIDs: !reader.traits.hasWindow)
    let layout = TableLayout(columns: reader.traits.isAttended ? reader.traits.columns : nil)
    var lines = ReplContext.lines(table.text(of: found.threads, layout: layout))
    var names = found.threads.map { thread in
      let place = thread.missing == true ? thread.newest : thread.id
      return "#\(place) \(SafeText.oneLine(thread.sender ?? "")) \(ThreadTable.words(of: thread))"
    }
    if let next = found.next {
      lines.append("… older ones: /threads #\(next)")
      names.append("\(Listing.olderThreads) #\(next)")
    }
    return Effects(.listing(Listing(lines: lines, choice: .thread, names: names)))
  }

  /// Replaces messages' letters in a query's `thread:` terms by ids, so that a saved query keeps its meaning.
  /// Throws ``UsageError`` for unknown letters.
  func namingThreads(_ query: String) throws -> String {
    let key = "thread:"
    var named = ""
    var isQuoted = false
    var rest = query[...]
    while let character = rest.first {
      let isStart = named.last.map { $0.isWhitespace || "(-".contains($0) } ?? true
      if !isQuoted, isStart, rest.hasPrefix(key) {
        let value = rest.dropFirst(key.count).prefix { !$0.isWhitespace && $0 != ")" }
        if case .handle(let letters)? = CommandArguments.target(value) {
          named += "\(key)\(try reader.message(called: letters))"
          rest = rest[value.endIndex...]
          continue
        }
      }
      if character == "\"" { isQuoted.toggle() }
      named.append(character)
      rest = rest.dropFirst()
    }
    return named
  }
}
