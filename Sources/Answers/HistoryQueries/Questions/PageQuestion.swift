public import MessageModel
internal import MessageStorage

/// Asks for a page.
public struct PageQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "page"

  /// Of which conversations; `nil` for all, interleaved by time.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place where it begins; `nil` for the newest end.
  public var at: PageStart?
  /// `nil` for the oldest first.
  public var order: PageRequest.Order?
  /// The most messages to return; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages to pass over first.
  public var offset: Int?
  /// For places within: how many messages to take from before it; `nil` for half of them.
  public var older: Int?
  /// Whether numbers and totals are wanted, as they are if this is `nil`.
  public var counts: Bool?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, person: String? = nil, filter: HistoryFilter? = nil,
    at: PageStart? = nil,
    order: PageRequest.Order? = nil, limit: Int? = nil, offset: Int? = nil, older: Int? = nil,
    counts: Bool? = nil, detail: MessageDetail? = nil, timeZone: String? = nil
  ) {
    (self.conversations, self.person, self.filter, self.at) = (conversations, person, filter, at)
    (self.order, self.limit, self.offset, self.older) = (order, limit, offset, older)
    (self.counts, self.detail, self.timeZone) = (counts, detail, timeZone)
  }
}

/// The extent to which messages are answered.
public enum MessageDetail: String, Codable, Hashable, Sendable {
  /// As much as a line of a list shows: of a long text its beginning.
  case line
  /// All that an export has.
  case whole
}

extension PageQuestion {
  /// Returns the page.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> PageAnswer {
    let request = PageRequest(
      try queries.selection(of: self), order: order ?? .oldestFirst,
      anchor: try queries.anchor(at, zone: timeZone), fetchLimit: try QuestionAnswerer.limit(limit),
      fetchOffset: offset ?? 0, olderShare: older, wantsCounts: counts ?? true)
    var answer = try queries.page(request, detail: detail ?? .line)
    if marks == true { try queries.mark(&answer.messages) }
    return answer
  }

  package var isSearch: Bool { filter?.matching != nil || filter?.regex != nil || filter?.saved != nil }
  package var isOfMessagesAlone: Bool {
    person == nil && at.isOfMessagesAlone && filter.isOfMessagesAlone
  }
  package var wantsWhole: Bool { detail == .whole }

  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions {
    Suggestions(nothing: try queries.nothing(under: self))
  }
}

/// A page: neighbouring messages, and how they lie among all that were asked for.
public struct PageAnswer: HistoryAnswer, ServedAnswer {
  /// In the order of the question, without a hole.
  public var messages: [MessageAnswer]
  /// Whether there are older messages than these.
  public var hasOlder: Bool
  /// Whether there are newer messages than these.
  public var hasNewer: Bool
  /// The number of the oldest message of the page, 1 being the oldest of all; `nil` if counts were not wanted, as what
  /// follows.
  public var firstNumber: Int?
  /// The number of messages.
  public var total: Int?
  /// Whether both numbers are exact; they are estimates if not.
  public var exact: Bool?
  /// The place that the one asked for led to.
  public var found: Page.Resolution.Match
  /// The message that the place asked for stands for.
  public var foundID: Message.ID?
  /// The version of these conversations.
  public var version: SourceVersion
  /// The place to go on at, if reading stopped before the limit or an end: few of very many messages pass the filter.
  public var next: PageStart?

  package var count: Int { messages.count }
  package var isEstimated: Bool { exact == false }
  package var shortened: PageAnswer {
    var short = self
    short.messages = messages.map(\.shortened)
    return short
  }
  package var continuations: [Continuation] {
    let ids = messages.map(\.id)
    var all: [Continuation] = []
    if hasOlder, let oldest = ids.min() { all.append(Continuation(.older, .at(PageStart(.before(oldest))))) }
    if hasNewer, let newest = ids.max() { all.append(Continuation(.newer, .at(PageStart(.after(newest))))) }
    return all + [Continuation](next: next.map { .at($0) })
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

  func whole(_ records: [MessageRecord]) throws(StoreError) -> [MessageAnswer] {
    var names = ConversationNames(store)
    var messages: [MessageAnswer] = []
    messages.reserveCapacity(records.count)
    for record in records {
      messages.append(MessageAnswer(record, conversation: try names.name(of: record.message.conversation)))
    }
    return messages
  }
}
