internal import MessageModel
internal import MessageWindows
internal import TerminalText

/// The way from an answer to what it answers, and back.
struct AnswerTrail: Hashable, Sendable {
  /// Where the way began.
  var begin: WindowPosition
  /// The message that it has led to.
  var place: Message.ID
}

extension Session {
  // MARK: Links

  /// Shows the links of a message, or copies or opens one of them.
  mutating func url(
    _ id: Message.ID, _ number: Int?, _ action: ReplCommand.LinkAction
  ) throws -> Effects {
    let links = try context.links(in: id)
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
    case .copy: return Effects(.clipboard(link))
    case .open:
      guard reader.isAttended else {
        throw UsageError("links are opened for who sits at a terminal", remedy: "/url #\(id)")
      }
      return Effects(
        .notice("opening \(link)"),
        jobs: [Job(.opening) { [open = context.openLink] _, isCancelled in try open(link, isCancelled) }])
    }
  }

  // MARK: Answers

  /// Goes to what a message answers; without one, on from where that has led, or back to where it began.
  mutating func goToAnswered(_ target: Message.ID?) throws -> Effects {
    let shown = answers.flatMap { trail in reader.visible?.contains(trail.place) == true ? trail : nil }
    guard let answer = try target ?? answerInView(shown?.place) else {
      guard let shown else { throw UsageError("no answer is in view", remedy: "/answered HANDLE") }
      answers = nil
      _ = try reader.move(.restore(shown.begin), in: &context)
      return Effects(.notice("back at the answer"))
    }
    guard let message = try context.message(answer), let answered = message.replyTo else {
      throw UsageError("message #\(answer) answers no other", status: .nothingFound)
    }
    guard let found = try context.message(answered), found.conversation == context.conversation.id else {
      throw UsageError("what message #\(answer) answers is not here", status: .nothingFound)
    }
    let begin = shown?.begin ?? reader.place
    let resolution = try reader.move(.to(.around(answered), amongOthers: true), in: &context)
    answers = begin.map { AnswerTrail(begin: $0, place: answered) }
    guard resolution?.match == .exact else {
      return Effects(.miss("the filter hides what it answers: /filter shows all"))
    }
    return Effects(.notice("this is answered; Alt-o and /back return"))
  }

  /// The message from which a key goes to what it answers: that where one is, if it answers, else the last answer in view.
  private func answerInView(_ place: Message.ID?) throws(StoreError) -> Message.ID? {
    if let place { return try context.message(place)?.replyTo == nil ? nil : place }
    guard let visible = reader.visible else { return nil }
    let page = try context.store.page(
      PageRequest(
        context.selection, anchor: .before(visible.upperBound.successor), fetchLimit: 200, wantsCounts: false)
    )
    let answers = page.messages.filter { $0.id >= visible.lowerBound && $0.replyTo != nil }
    if let hit = search?.place, answers.contains(where: { $0.id == hit }) { return hit }
    return answers.last?.id
  }

  // MARK: Several messages

  /// Copies the text of a message, or those from one to another with who wrote them and when.
  mutating func copy(_ first: Message.ID, through last: Message.ID?) throws -> Effects {
    guard let last else { return Effects(.clipboard(try context.wholeText(of: first))) }
    return Effects(.clipboard(try context.text(from: min(first, last), through: max(first, last))))
  }
}
