package import Foundation
package import MessageModel
package import MessageStorage
internal import Redaction

/// Lists and counts of redacted content, in orders that hidden content does not influence.
extension RedactedHistory {
  package func statistics() throws(StoreError) -> StoreStatistics {
    var statistics = try original.statistics()
    // These include the sizes of texts.
    (statistics.contentByteCount, statistics.inlineByteCount) = (0, 0)
    (statistics.fileByteCount, statistics.freeByteCount) = (0, 0)
    return statistics
  }

  package func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList {
    var list = try original.threads(in: conversations, before: id, limit: limit)
    for index in list.threads.indices {
      list.threads[index].first = try shown([list.threads[index].first].compactMap(\.self)).first
      if let newest = try shown([list.threads[index].newest]).first { list.threads[index].newest = newest }
    }
    return list
  }

  package func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID] {
    try original.newestMessages(of: senders, in: conversations)
  }

  package func savedFilters() throws(StoreError) -> [SavedFilter] {
    var taken: Set<String> = []
    var filters: [SavedFilter] = []
    for var filter in try original.savedFilters().sorted(by: { $0.id < $1.id }) {
      filter.name = MaskedNames.free(redactor.text(filter.name), &taken)
      filter.words = redactor.text(filter.words)
      let counts = try page(PageRequest(Selection(.all, where: filter.predicate), fetchLimit: 0)).counts
      (filter.total, filter.isExact, filter.countedPart) = (counts?.total ?? 0, counts?.isExact ?? false, 1)
      filters.append(filter)
    }
    return filters.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  // MARK: People

  func shownPeople() throws(StoreError) -> [(original: Person, shown: Person)] {
    let names = try names()
    var taken: Set<String> = []
    return try original.people().sorted { $0.id < $1.id }.map { person in
      var shown = person
      shown.name = MaskedNames.free(redactor.sender(person.name), &taken)
      shown.accounts = person.accounts.map { account in
        var account = account
        account.senders = account.senders.map { self.shown($0, names) }.sorted {
          ($1.messageCount, $0.sender.id) < ($0.messageCount, $1.sender.id)
        }
        account.account = shownAccount(account.account, named: account.senders.first?.sender.name)
        return account
      }.sorted { ($1.messageCount, $0.name) < ($0.messageCount, $1.name) }
      return (person, shown)
    }
  }

  package func people() throws(StoreError) -> [Person]? {
    try shownPeople().map(\.shown).sorted { ($0.messageCount, $1.name) > ($1.messageCount, $0.name) }
  }

  /// Without names, ids are hidden, too.
  private func shownAccount(_ account: SenderAccount, named name: String?) -> SenderAccount {
    switch account {
    case .id(let id): redactor.replacesNames ? .name(name ?? "[left out]") : .id(redactor.text(id))
    case .name(let text): .name(name ?? redactor.sender(text))
    }
  }

  package func directConversations(
    with senders: Set<Sender.ID>
  ) throws(StoreError) -> Set<Conversation.ID> {
    try original.directConversations(with: senders)
  }

  // MARK: Sessions

  /// A session with all its words in redacted form, and whether any of them hides something.
  private typealias ShownSession = (session: AssistantSession, words: Set<SessionWord>, isRedacted: Bool)

  private func shownSessions() throws(StoreError) -> [ShownSession] {
    let names = try names()
    var sessions: [ShownSession] = []
    for (session, words) in try original.sessionsWithWords() {
      var isRedacted = redactor.look(at: session.name).isRedacted
      func text(_ original: String) -> String {
        isRedacted = isRedacted || redactor.look(at: original).isRedacted
        return redactor.text(original)
      }
      var shown = session
      shown.name = names.conversation(session.id)?.name ?? text(session.name)
      let key = text(session.identity.key)
      shown.identity = ConversationIdentity(platform: session.identity.platform, key: key) ?? session.identity
      shown.question = nil
      if session.question != nil, let id = session.questionID, let question = try original.text(of: id) {
        shown.question = text(question).firstLine?.inOneLine(limit: Self.longestTitle)
      }
      if session.failureCount > 0 { shown.failureCount = try failureCount(of: session.id) }
      // Numbers are text, too.
      if redactor.rules.findsMoreThanSecrets { shown.note = SessionNote() }
      shown.note.folder = session.note.folder.map(text)
      shown.note.branch = session.note.branch.map(text)
      for uses in [\AssistantSession.models, \.tools, \.files] {
        for index in shown[keyPath: uses].indices {
          shown[keyPath: uses][index].name = text(shown[keyPath: uses][index].name)
        }
        shown[keyPath: uses].sort { ($1.count, $0.name) < ($0.count, $1.name) }
      }
      // Names decided which of the equally frequent files were left out of the list.
      if shown.fileCount > shown.files.count, let least = shown.files.last?.count {
        shown.files.removeAll { $0.count == least }
      }
      let shownWords = Set(words.map { SessionWord($0.sort, text($0.word)) })
      sessions.append((shown, shownWords, isRedacted))
    }
    return sessions
  }

  /// Counts the results and notes whose redacted form reports a failure.
  private func failureCount(of session: Conversation.ID) throws(StoreError) -> Int {
    let candidates = MessagePredicate.all(of: [.kind([.result, .system]), .matching(FailureMark.word)])
    var request = PageRequest(
      Selection(session, where: candidates), order: .oldestFirst, anchor: .oldest, fetchLimit: 500,
      wantsCounts: false)
    var count = 0
    while true {
      let page = try original.page(request)
      for message in page.messages
      where FailureMark.begins(redactor.look(at: try wholeText(of: message)).words) { count += 1 }
      let last = page.messages.last.map { PageAnchor.after($0.id) }
      guard let next = page.nextAnchor ?? (page.hasNewer ? last : nil) else { return count }
      request.anchor = next
    }
  }

  private static let longestTitle = 200

  package func sessions(where predicate: SessionPredicate) throws(StoreError) -> [AssistantSession] {
    var sessions: [AssistantSession] = []
    for shown in try shownSessions() where try Self.truth(of: predicate, for: shown) == .holds {
      sessions.append(shown.session)
    }
    return sessions
  }

  package func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String] {
    let words = try shownSessions().flatMap(\.words).filter { $0.sort == sort }
    return Set(words.map(\.word)).sorted()
  }

  /// Evaluates a condition on a redacted session, as ``ShownCondition`` does on messages.
  private static func truth(
    of predicate: SessionPredicate, for shown: ShownSession
  ) throws(StoreError) -> ShownCondition.Truth {
    switch predicate {
    case .everything, .failed, .during, .conversation:
      return try predicate.holds(for: shown.session, shown.words) ? .holds : .fails
    case .word, .title:
      if try predicate.holds(for: shown.session, shown.words) { return .holds }
      return shown.isRedacted ? .unknown : .fails
    case .not(let inner): return try truth(of: inner, for: shown).opposite
    case .and(let parts):
      let truths = try parts.map { part throws(StoreError) in try truth(of: part, for: shown) }
      return truths.contains(.fails) ? .fails : truths.contains(.unknown) ? .unknown : .holds
    case .or(let parts):
      let truths = try parts.map { part throws(StoreError) in try truth(of: part, for: shown) }
      return truths.contains(.holds) ? .holds : truths.contains(.unknown) ? .unknown : .fails
    }
  }

  // MARK: Counts

  package func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID, limit: Int
  ) throws(StoreError) -> [HistorySection] {
    let condition = try ShownCondition(selection.predicate, of: original, redactor)
    guard condition.isOfFacts else {
      return try pagedSections(of: selection, by: span, zone: zone, from: first, limit: limit)
    }
    return try original.sections(of: selection, by: span, zone: zone, from: first, limit: limit)
  }

  package func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup] {
    let names = try names()
    let condition = try ShownCondition(selection.predicate, of: original, redactor)
    let groups =
      condition.isOfFacts
      ? try original.groups(of: selection, by: grouping, zone: zone, progress: progress)
      : try counted(selection, condition, by: grouping, zone: zone, progress)
    let people = grouping == .person ? try shownPeople() : []
    return groups.map { group in
      var group = group
      switch group.key {
      case .sender(let sender?):
        group.key = .sender(
          Sender(id: sender.id, name: names.sender(sender.id) ?? redactor.sender(sender.name)))
      case .person(let id, let name):
        let shown = people.first { $0.original.id == id }?.shown.name
        group.key = .person(id, name: shown ?? redactor.sender(name))
      case .sender(nil), .date, .weekday, .hour, .conversation, .kind: break
      }
      return group
    }
  }

  private func counted(
    _ selection: Selection, _ condition: ShownCondition, by grouping: MessageGrouping, zone: TimeZone,
    _ progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup] {
    var speakers: [Sender.ID: MessageGroup.Key] = [:]
    let senders = try original.senders()
    let byID = Dictionary(senders.map { ($0.sender.id, $0.sender) }, uniquingKeysWith: { first, _ in first })
    for sender in senders {
      speakers[sender.sender.id] = .sender(sender.aliasOf.flatMap { byID[$0] } ?? sender.sender)
    }
    if grouping == .person {
      for person in try original.people() {
        for id in person.senders { speakers[id] = .person(person.id, name: person.name) }
      }
    }
    let scan = ShownScan(condition: condition, conversations: selection.conversations, history: self)
    var counted: [CountedMessage] = []
    var anchor = PageAnchor.oldest
    while true {
      var budget = ShownScan.textLimit
      let run = try scan.run(from: anchor, limit: Self.countedAtOnce, &budget)
      for place in run.places {
        guard let message = try original.message(place.id) else { continue }
        let own = message.sender.map { speakers[$0.id] ?? .sender($0) } ?? .sender(nil)
        counted.append(CountedMessage(message, speaker: own))
      }
      guard progress(counted.count) else { throw StoreError(.cancelled, "cannot count the messages") }
      if let stopped = run.stoppedAt {
        anchor = .after(stopped)
      } else if run.places.count == Self.countedAtOnce, let last = run.places.last {
        anchor = .after(last.id)
      } else {
        return MessageGroup.groups(of: counted, by: grouping, zone: zone)
      }
    }
  }

  private static let countedAtOnce = 4_096
}
