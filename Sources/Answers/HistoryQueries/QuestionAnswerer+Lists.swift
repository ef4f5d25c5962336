public import Foundation
public import MessageModel
public import MessageStorage

extension QuestionAnswerer {
  /// Returns who wrote in some conversations.
  ///
  /// - Parameters:
  ///   - conversations: Where they wrote.
  ///   - place: After whom to begin; `nil` for the first.
  ///   - part: A part of their names, or a pattern for all of them; `nil` for any. Case does not matter.
  ///   - limit: The most senders.
  ///   - order: Their order. By the newest messages, who wrote nothing is left out.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`; of kind `invalidRequest` if the place is of another
  ///   order.
  /// - Complexity: As for ``SynchronousMessageStore/senders(in:)``, whatever the limit; by the newest messages O(log *n*) more
  ///   for each, and what they wrote in other conversations since.
  public func senders(
    in conversations: Selection.Conversations = .all, after place: SenderPlace? = nil,
    named part: String? = nil, limit: Int = .max, order: SenderOrder = .messages
  ) throws(StoreError) -> SendersAnswer {
    let all = try store.senders(in: conversations)
    let names = Dictionary(
      all.map { ($0.sender.id, $0.sender.name) }, uniquingKeysWith: { first, _ in first })
    let found = all.filter(Self.bears(part))
    let portion = try Portion(limit: limit) { limit throws(StoreError) -> [(SenderSummary, Message?)] in
      guard order == .messages else {
        return try newest(of: found, in: conversations, after: place, limit: limit)
      }
      return found.drop { place?.isBefore($0) == false }.prefix(limit).map { ($0, nil) }
    }
    let senders = portion.shown.map { summary, newest in
      SenderAnswer(summary, aliasOf: summary.aliasOf.flatMap { names[$0] }, newest: newest)
    }
    return SendersAnswer(
      senders: senders, next: portion.following.flatMap { _ in senders.last.map(SenderPlace.init) })
  }

  /// Returns senders with their newest messages, those who wrote last first, behind a place.
  private func newest(
    of senders: [SenderSummary], in conversations: Selection.Conversations, after place: SenderPlace?,
    limit: Int
  ) throws(StoreError) -> [(SenderSummary, Message?)] {
    if let place, place.lastID == nil {
      throw StoreError(
        .invalidRequest, "cannot go on after '\(VisibleText.of(place.name))'",
        cause: "that place is of another order", remedy: "start again from the beginning")
    }
    let newest = try store.newestMessages(of: senders.map(\.sender.id), in: conversations)
    let placed = senders.compactMap { sender in newest[sender.sender.id].map { (sender, $0) } }
    let sorted = placed.sorted { $0.1 > $1.1 }.drop { $0.1 >= place?.lastID ?? .highest }.prefix(limit)
    var answers: [(SenderSummary, Message?)] = []
    for (sender, id) in sorted { answers.append((sender, try store.message(id))) }
    return answers
  }

  func answer(_ question: SendersQuestion) throws(StoreError) -> SendersAnswer {
    try senders(
      in: selection(question.conversations).conversations, after: question.after, named: question.named,
      limit: Self.limit(question.limit), order: question.order ?? .messages)
  }

  /// Returns how many senders a question lists in all.
  ///
  /// - Throws: As ``answer(_:isCancelled:)``.
  package func total(of question: SendersQuestion) throws(StoreError) -> Int {
    let all = try store.senders(in: selection(question.conversations).conversations)
    return all.count(where: Self.bears(question.named))
  }

  private static func bears(_ part: String?) -> (SenderSummary) -> Bool {
    guard let part else { return { _ in true } }
    let pattern = NamePattern(finding: part)
    return { pattern.matches($0.sender.name) }
  }

  /// Returns the days or months that hold messages, oldest first.
  ///
  /// - Parameters:
  ///   - conversation: Where to look; `nil` for all together.
  ///   - span: Whether days or months are counted.
  ///   - zone: The zone whose midnights part them.
  ///   - first: The message from which on, as an answer before this one says.
  ///   - limit: The most days or months.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(`limit` × √*n*) small steps for *n* messages.
  public func days(
    of conversation: Conversation? = nil, by span: HistorySection.Span, zone: TimeZone,
    from first: Message.ID = .lowest, limit: Int = .max
  ) throws(StoreError) -> DaysAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.sections(of: conversation?.id, by: span, zone: zone, from: first, limit: limit)
    }
    return DaysAnswer(
      days: portion.shown.map { DayAnswer($0, span, conversation: conversation?.name) },
      next: portion.following?.oldest)
  }

  func answer(
    _ question: DaysQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> DaysAnswer {
    guard let zone = TimeZone(named: question.timeZone ?? "UTC") else {
      throw Self.notFound("time zone", question.timeZone ?? "")
    }
    var conversation: Conversation?
    if let reference = question.conversation { conversation = try find(reference) }
    if let person = question.person {
      return try days(
        with: person, in: conversation, by: question.by ?? .day, zone: zone, from: question.from ?? .lowest,
        limit: Self.limit(question.limit), isCancelled: isCancelled)
    }
    return try days(
      of: conversation, by: question.by ?? .day, zone: zone, from: question.from ?? .lowest,
      limit: Self.limit(question.limit))
  }

  /// Returns saved filters by name, with their totals.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func filters(after name: String? = nil, limit: Int = .max) throws(StoreError) -> FiltersAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.savedFilters(after: name, limit: limit)
    }
    return FiltersAnswer(filters: portion.shown.map { FilterAnswer($0) }, next: portion.last?.name)
  }

  /// Returns the imports, oldest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func imports(after number: Int64? = nil, limit: Int = .max) throws(StoreError) -> ImportsAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.imports(after: number ?? .min, limit: limit)
    }
    return ImportsAnswer(imports: portion.shown.map { ImportAnswer($0) }, next: portion.last?.id)
  }
}
