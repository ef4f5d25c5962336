internal import HistoryModel
internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  mutating func followConversation() throws -> Effects {
    guard let open = context.openConversation else { return Effects() }
    let fate = try context.store.fate(of: open.id, named: open.name, holding: reader.sight.place?.id)
    switch fate {
    case .present(let present): return takeName(of: present, before: open)
    case .merged(let target): return try goOn(in: target, insteadOf: open)
    case .deleted:
      // Its history may have been imported again.
      if let again = try context.store.conversation(named: open.name) {
        return try goOn(in: again, insteadOf: open)
      }
      guard !context.isDeleted else { return Effects() }
      context.isDeleted = true
      return withdrawQuestion(Effects(.notice("\(context.shownName) was deleted")))
    }
  }

  private mutating func takeName(of present: Conversation, before open: Conversation) -> Effects {
    let wasDeleted = context.isDeleted
    context.isDeleted = false
    guard present.name != open.name else {
      return wasDeleted ? Effects(.notice("\(context.shownName) is there again")) : Effects()
    }
    let former = context.shownName
    var renamed = open
    renamed.name = present.name
    context.places.rename(open.name, to: present.name)
    context.timeline = .conversation(renamed)
    return withdrawQuestion(Effects(.notice("\(former) is called \(context.shownName) now")))
  }

  private mutating func goOn(in target: Conversation, insteadOf open: Conversation) throws -> Effects {
    let (former, filter, place, jumps) = (
      context.shownName, context.filter, reader.sight.place, reader.jumps
    )
    context.enter(.conversation(target))
    context.filter = filter
    reader.putAway()
    var effects = try enter(isPassing: true)
    reader.jumps = jumps
    if let place { _ = try reader.move(.restore(place), in: &context) }
    let isAgain = target.name == open.name
    effects.replies.append(
      .notice(isAgain ? "\(former) is there again" : "\(former) is part of \(context.shownName) now"))
    return withdrawQuestion(effects)
  }

  /// Withdraws a question that uses the former name, and restores its line.
  private mutating func withdrawQuestion(_ effects: Effects) -> Effects {
    guard let asked = question, asked.permits != nil else { return effects }
    question = nil
    var effects = effects
    effects.line = asked.answers.lazy.compactMap { $0.command?.lineToTryAgain }.first ?? effects.line
    return effects
  }

  /// Throws ``UsageError`` if the conversation was deleted, or merged into another, which is then shown.
  mutating func checkConversation() throws {
    guard let open = context.openConversation else { return }
    let followed = try emit(followConversation())
    try context.checkIsThere()
    guard context.openConversation?.id != open.id else { return }
    for case .notice(let said) in followed.replies {
      throw UsageError("not sent: \(said)", remedy: "Enter, to send it there")
    }
  }
}

extension ReplContext {
  /// Throws ``UsageError`` if the conversation was deleted; the store may reuse its id.
  func checkIsThere() throws(UsageError) {
    guard isDeleted else { return }
    throw UsageError("not sent: \(shownName) was deleted", remedy: "/open NAME")
  }
}

extension Session {
  mutating func followingPerson() -> [Job] {
    guard case .person(let person) = context.timeline else {
      lookUps.person.callOff()
      return []
    }
    guard lookUps.person.begin() else { return [] }
    return [
      Job(.person) { [store = context.store] report, _ in
        // A person unlinked and linked again has another id; the name finds them.
        let present =
          try store.timeline(ofPerson: person.id) ?? (try? store.timeline(ofPersonNamed: person.name))
        report(.person(present, inPlaceOf: person.id))
      }
    ]
  }

  mutating func take(_ person: PersonTimeline?, inPlaceOf id: Person.ID) throws -> Effects {
    lookUps.person.end()
    guard case .person(let before) = context.timeline, before.id == id else { return Effects() }
    let present = person ?? PersonTimeline(id: before.id, name: before.name, senders: [], direct: [])
    guard present != before else { return Effects() }
    let effects = try reselect { $0.timeline = .person(present) }
    return person == nil
      ? effects.adding(Effects(.notice("there is no person \(context.shownName) any more"))) : effects
  }

  /// Changes the shown messages; keeps the place if possible.
  mutating func reselect(_ change: (inout ReplContext) -> Void) throws -> Effects {
    let before = context
    change(&context)
    guard context.selection != before.selection else { return Effects() }
    var effects = Effects(stops: forgetHits().union([.count]))
    do { effects.replies = try reader.select(.taken, keeping: nil, in: &context) } catch {
      context = before
      throw error
    }
    forgetCount()
    effects.jobs = counting()
    return effects
  }
}

/// What a session looks up again when the store changes.
package struct LookUps: Sendable {
  /// The person's linked accounts, which takes reading all senders.
  package var person = PacedLookUp()
  /// Unread messages for the switcher while it is open.
  package var news = PacedLookUp()
  /// What covers the messages.
  package var cover = PacedLookUp()

  mutating func noticeChange() {
    person.noticeChange()
    news.noticeChange()
    cover.noticeChange()
  }
}

/// A look-up repeated after changes of the store, at most every `interval`.
package struct PacedLookUp: Sendable {
  package var interval = Duration.seconds(2)
  private var isDue = false
  private var isUnderWay = false
  private var restsUntil: ContinuousClock.Instant?

  mutating func noticeChange() { isDue = true }

  mutating func hurry() { (isDue, restsUntil) = (true, nil) }

  mutating func callOff() { isDue = false }

  mutating func begin() -> Bool {
    guard isDue, !isUnderWay, restsUntil.map({ $0 <= .now }) ?? true else { return false }
    (isDue, isUnderWay) = (false, true)
    return true
  }

  mutating func end() {
    isUnderWay = false
    restsUntil = .now + interval
  }

  /// `nil` for never.
  var wakesAt: ContinuousClock.Instant? { isDue && !isUnderWay ? restsUntil : nil }
}
