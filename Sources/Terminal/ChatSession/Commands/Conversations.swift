internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// Opened timelines, for `/back` and `/forward`.
struct TimelineTrail: Hashable, Sendable {
  private var back: [Timeline.Key] = []
  private var forward: [Timeline.Key] = []
  /// The way from a reply to its message in the present timeline, for `/answered`.
  var answers: AnswerTrail?
  /// The conversations that a key for the next unread one has opened: the next time it goes on to others.
  var unread: Set<Conversation.ID> = []

  private static let longest = 100

  mutating func leave(_ timeline: Timeline.Key) {
    back.append(timeline)
    if back.count > Self.longest { back.removeFirst() }
    forward = []
  }

  /// Returns the next timeline, back for `older`, and records the present one; `nil` if there is none.
  mutating func step(
    _ direction: ScrollDirection, from timeline: Timeline.Key
  ) -> Timeline.Key? {
    switch direction {
    case .older:
      guard let next = back.popLast() else { return nil }
      forward.append(timeline)
      return next
    case .newer:
      guard let next = forward.popLast() else { return nil }
      back.append(timeline)
      return next
    }
  }
}

/// `/open` and `/conversations`.
extension Session {
  /// Saves the reader's place, for reopening the timeline.
  package mutating func keepPlace() {
    let position = reader.sight.place ?? WindowPosition(id: .lowest, isFollowing: true)
    context.places.keep(
      KeptPlaces.Place(position: position, jumps: reader.jumps, isInWindow: reader.traits.hasWindow),
      in: context.timeline.keptName)
  }

  mutating func open(_ opening: ReplCommand.Opening) throws -> Effects {
    let opening = try meant(by: opening)
    let timeline = try context.store.timeline(opening)
    if case .message(let id) = opening { return try open(timeline, at: id) }
    keepPlace()
    let before = context.timeline.key
    context.enter(timeline)
    if timeline.key != before { trail.leave(before) }
    return try enter()
  }

  /// Interprets a typed name: a conversation of this name takes precedence over a message with this letter, and this
  /// over the only name that has its letters in order.
  private func meant(by opening: ReplCommand.Opening) throws -> ReplCommand.Opening {
    guard case .typed(let text) = opening, try context.store.conversation(named: text) == nil else {
      return opening
    }
    if let target = CommandArguments.target(text[...]), let id = try? id(of: target) { return .message(id) }
    if (try? context.store.timeline(opening)) != nil { return opening }
    let isPerson = text.hasPrefix("@")
    let names = try isPerson ? context.store.peopleNames() : context.store.conversationNames()
    let name = try nameMeant(by: isPerson ? text.dropFirst() : text[...], among: names)
    return name.map { isPerson ? .person($0) : .conversation($0) } ?? opening
  }

  /// Returns the only name that people may mean by a text; `nil` if none is like it, and in scripts. Throws
  /// ``UsageError`` if several are.
  func nameMeant(by text: Substring, among names: [String]) throws(UsageError) -> String? {
    guard reader.traits.isAttended else { return nil }
    let meant = FuzzyName(text).meant(among: names)
    guard meant.count > 1 else { return meant.first }
    let some = meant.prefix(3).map { SafeText.oneLine($0).cut(columns: 24) }.joined(separator: ", ")
    throw UsageError(
      "'\(SafeText.oneLine(text).cut(columns: 24))' fits several names",
      remedy: "more of a name: \(some)\(meant.count > 3 ? ", …" : "")", status: .nothingFound)
  }

  private mutating func open(_ conversation: Timeline, at id: Message.ID) throws -> Effects {
    guard context.timeline.key != conversation.key else { return try go(to: .message(id)) }
    keepPlace()
    trail.leave(context.timeline.key)
    context.enter(conversation)
    let effects = try enter(isPassing: true)
    _ = try reader.move(.to(.around(id), amongOthers: true), in: &context)
    // The jump history begins here: `/back` leads to the former timeline.
    reader.jumps = JumpHistory()
    return effects
  }

  /// Opens the conversation with the newest unread messages, at the first of them; then the next one, read or not.
  mutating func openNextUnread() throws -> Effects {
    let unread = try context.store.unreadConversations().filter {
      $0.id != context.openConversation?.id && context.unwritten[$0.id] ?? .lowest < $0.newest
    }
    let fresh = unread.first { !trail.unread.contains($0.id) }
    guard let next = fresh ?? unread.first, let conversation = try context.store.conversation(next.id) else {
      return Effects(.notice("nothing is unread elsewhere"))
    }
    if fresh == nil { trail.unread = [] }
    trail.unread.insert(next.id)
    keepPlace()
    trail.leave(context.timeline.key)
    context.enter(.conversation(conversation))
    let effects = try enter(isPassing: true)
    _ = try reader.move(.to(try reader.firstUnread(in: &context)), in: &context)
    reader.jumps = JumpHistory()
    return effects
  }

  /// Longer lists open the switcher, which reads only what it shows.
  static var mostListed: Int { 1_000 }

  mutating func listConversations() throws -> Effects {
    if reader.traits.hasWindow, try context.store.conversationCount() > Self.mostListed {
      return try showSwitcher()
    }
    let all = try context.store.conversations()
    let lines = try context.overview(of: all, columns: reader.traits.columns)
    return Effects(.listing(Listing(lines: lines, choice: .conversation, names: all.map(\.name))))
  }

  /// - Parameter returning: Whether to restore the place even where conversations open at their newest
  ///   message.
  mutating func enter(isPassing: Bool = false, returning: Bool = false) throws -> Effects {
    search = nil
    typing = nil
    trail.answers = nil
    try takePlace(isPassing: isPassing, returning: returning)
    return Effects(stops: [.count, .ahead])
  }

  mutating func takePlace(isPassing: Bool = false, returning: Bool = false) throws(StoreError) {
    let kept = isPassing ? nil : context.places[context.timeline.keptName]
    let takesPlace =
      kept?.position.isFollowing == false
      && (returning || reader.traits.hasWindow && kept?.isInWindow == true)
    try reader.enter(&context, isPassing: isPassing || takesPlace)
    if reader.traits.hasLine, !isReadOnly { context.learnOrigin() }
    guard let kept else { return }
    reader.jumps = kept.jumps
    if takesPlace { _ = try reader.move(.restore(kept.position), in: &context) }
  }
}

extension ReplContext {
  mutating func enter(_ other: Timeline) {
    timeline = other
    (filter, readMarks, markedUnread, isDeleted) = (nil, [:], [:], false)
    if let id = other.conversation?.id, let read = unwritten[id] { setMark(read, of: id) }
  }

  func timeline(_ key: Timeline.Key) throws(StoreError) -> Timeline? {
    switch key {
    case .conversation(let id): try store.conversation(id).map { .conversation($0) }
    case .everything: .everything
    case .person(let id): try store.timeline(ofPerson: id).map { .person($0) }
    }
  }

  func overview(of conversations: [Conversation], columns: Int) throws(StoreError) -> [String] {
    let read = conversations.map { conversation in
      var conversation = conversation
      conversation.readUpTo = unwritten[conversation.id] ?? conversation.readUpTo
      return conversation
    }
    let unread = try store.unread(of: read)
    let newest = try store.newestShown(of: read)
    let answers = zip(read, unread).map { ConversationAnswer($0, unread: $1, newest: newest[$0.id]) }
    return Self.lines(ConversationTable(timeZone: zone).overview(of: answers, columns: columns))
  }

  var shownName: String {
    let name = SafeText.oneLine(timeline.name).cut(columns: 40)
    return openConversation == nil ? name : "'\(name)'"
  }
}

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
