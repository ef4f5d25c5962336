internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// `/threads`, and queries that name threads by letters.
extension Session {
  private static var listedThreads: Int { 200 }

  /// - Parameter id: Lists only threads whose newest reply is older than this message; `nil` for all.
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

struct AnswerTrail: Hashable, Sendable {
  var begin: WindowPosition
  var place: Message.ID
}

extension Session {
  /// Goes to the message that a reply replies to. Without a target, the reply is the message that this
  /// command showed last, or else the last reply in view. If the message shown last is not a reply, returns
  /// to where the command was first used.
  mutating func goToAnswered(_ target: Message.ID?) throws -> Effects {
    let shown = trail.answers.flatMap { reader.sight.visible?.contains($0.place) == true ? $0 : nil }
    guard let answer = try target ?? answerInView(shown?.place) else {
      guard let shown else { throw UsageError("no reply in view", remedy: "/answered LETTER") }
      trail.answers = nil
      _ = try reader.move(.restore(shown.begin), in: &context)
      return Effects(.notice("back at the reply"))
    }
    guard let message = try context.message(answer), let answered = message.replyTo else {
      throw UsageError("message #\(answer) is not a reply", status: .nothingFound)
    }
    guard let found = try context.message(answered), context.wholeSelection.contains(found) else {
      throw UsageError("the message that #\(answer) replies to is not in the store", status: .nothingFound)
    }
    let begin = shown?.begin ?? reader.sight.place
    let resolution = try reader.move(.to(.around(answered), amongOthers: true), in: &context)
    trail.answers = begin.map { AnswerTrail(begin: $0, place: answered) }
    guard resolution?.match == .exact else {
      return Effects(.miss("the filter hides the message that this replies to; /filter shows all"))
    }
    return Effects(.notice("the message replied to; Alt-o or /back returns"))
  }

  /// The message at `place` if it is a reply, else the last reply in view.
  private func answerInView(_ place: Message.ID?) throws(StoreError) -> Message.ID? {
    if let place { return try context.message(place)?.replyTo == nil ? nil : place }
    guard let visible = reader.sight.visible else { return nil }
    let page = try context.store.page(
      PageRequest(
        context.selection, anchor: .before(visible.upperBound.successor), fetchLimit: 200, wantsCounts: false)
    )
    let answers = page.messages.filter { $0.id >= visible.lowerBound && $0.replyTo != nil }
    if let hit = search?.place, answers.contains(where: { $0.id == hit }) { return hit }
    return answers.last?.id
  }

  func showThread(of id: Message.ID) throws -> Effects {
    let messages = try context.store.thread(of: id, limit: Self.mostThreadMessages)
    guard messages.count > 1 else {
      guard messages.isEmpty else { return list(["message #\(id) is not in a thread and has no replies"]) }
      throw context.noMessage(id)
    }
    let rest = messages.count == Self.mostThreadMessages ? ["… and more"] : []
    return list(try context.lines(of: messages, asShown: true) + rest)
  }

  private static var mostThreadMessages: Int { 500 }
}
