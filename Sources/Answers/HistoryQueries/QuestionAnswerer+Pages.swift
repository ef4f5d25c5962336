public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns a page of messages.
  ///
  /// - Parameters:
  ///   - request: The selection, where to look in it, and how far.
  ///   - detail: Of whole messages the page ends early behind some megabytes of text.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset, else what reading threw.
  public func page(
    _ request: PageRequest, detail: MessageDetail = .line
  ) throws(StoreError) -> PageAnswer {
    switch detail {
    case .line: try page(of: store.page(request))
    case .whole: try wholePage(request)
    }
  }

  private func page(of page: Page) throws(StoreError) -> PageAnswer {
    var names = ConversationNames(store)
    var messages: [MessageAnswer] = []
    messages.reserveCapacity(page.messages.count)
    for message in page.messages {
      messages.append(MessageAnswer(message, conversation: try names.name(of: message.conversation)))
    }
    return PageAnswer(
      messages, hasOlder: page.hasOlder, hasNewer: page.hasNewer, page.counts, page.resolution, page.version,
      page.nextAnchor)
  }

  private func wholePage(_ request: PageRequest) throws(StoreError) -> PageAnswer {
    let page = try store.records(request, byteLimit: Self.textByteLimit, mayPause: true)
    return PageAnswer(
      try whole(page.records), hasOlder: page.hasOlder, hasNewer: page.hasNewer, page.counts,
      page.resolution, page.version, page.nextAnchor)
  }

  private func whole(_ records: [MessageRecord]) throws(StoreError) -> [MessageAnswer] {
    var names = ConversationNames(store)
    var messages: [MessageAnswer] = []
    messages.reserveCapacity(records.count)
    for record in records {
      messages.append(MessageAnswer(record, conversation: try names.name(of: record.message.conversation)))
    }
    return messages
  }

  func answer(_ question: PageQuestion) throws(StoreError) -> PageAnswer {
    let request = PageRequest(
      try selection(
        question.conversations, with: question.person, question.filter, zone: question.timeZone),
      order: question.order ?? .oldestFirst, anchor: try anchor(question.at, zone: question.timeZone),
      fetchLimit: try Self.limit(question.limit),
      fetchOffset: question.offset ?? 0, olderShare: question.older, wantsCounts: question.counts ?? true)
    var answer = try page(request, detail: question.detail ?? .line)
    if question.marks == true { try mark(&answer.messages) }
    return answer
  }

  /// Returns messages by their ids, whole, in the order of the ids.
  ///
  /// Whole messages tell by ``MessageAnswer/edits`` that they were edited, where those of a page have ``MessageAnswer/edited``
  /// and ``MessageAnswer/revision``. Behind some megabytes of text it ends early, and says which ids are left.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(ids × log *n* + bytes), in one transaction.
  public func messages(_ ids: some Collection<Message.ID>) throws(StoreError) -> MessagesAnswer {
    let ids = Array(ids)
    let (records, rest) = try store.records(of: ids[...], byteLimit: Self.textByteLimit)
    let found = Set(records.map(\.message.id))
    let missing = ids[..<rest.startIndex].filter { !found.contains($0) }
    return MessagesAnswer(
      messages: try whole(records), missing: missing.isEmpty ? nil : missing,
      rest: rest.isEmpty ? nil : Array(rest))
  }

  func answer(_ question: MessagesQuestion) throws(StoreError) -> MessagesAnswer {
    guard question.ids.count <= Self.maxLimit else {
      throw StoreError(
        .invalidRequest, "cannot read \(question.ids.count) messages at once",
        remedy: "at most \(Self.maxLimit) ids")
    }
    var answer = try messages(question.ids)
    if question.marks == true { try mark(&answer.messages) }
    return answer
  }

  /// Returns a message whole; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func message(_ id: Message.ID) throws(StoreError) -> MessageAnswer? {
    try messages([id]).messages.first
  }

  func answer(_ question: MessageQuestion) throws(StoreError) -> MessageAnswer {
    var message = try found(question)
    if question.marks == true { try mark(&message) }
    return message
  }

  private func found(_ question: MessageQuestion) throws(StoreError) -> MessageAnswer {
    if let id = question.id {
      if let message = try message(id) { return message }
      throw Self.notFound("message", "#\(id)")
    }
    guard let platform = question.platform, let platformID = question.platformID else {
      throw StoreError(
        .invalidRequest, "it does not say which message is meant", remedy: "id, or platform and platformID")
    }
    let id = try store.messageID(platform: platform, id: platformID)
    if let id, let message = try message(id) { return message }
    throw Self.notFound("message of \(platform)", platformID)
  }
}

extension PageAnswer {
  init(
    _ messages: [MessageAnswer], hasOlder: Bool, hasNewer: Bool, _ counts: Page.Counts?,
    _ resolution: Page.Resolution, _ version: SourceVersion, _ nextAnchor: PageAnchor?
  ) {
    self.init(
      messages: messages, hasOlder: hasOlder, hasNewer: hasNewer,
      firstNumber: counts.map { $0.firstOrdinal.adding(1) }, total: counts?.total, exact: counts?.isExact,
      found: resolution.match, foundID: resolution.message, version: version,
      next: nextAnchor.map { PageStart($0) })
  }
}
