public import MessageModel
internal import MessageStorage

/// Asks for a page of messages.
public struct PageQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "page"

  /// The conversations; `nil` for all, interleaved by time.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition on messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place at which to begin; `nil` for the newest end.
  public var at: PageStart?
  /// `nil` for oldest first.
  public var order: PageRequest.Order?
  /// The most messages; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages to skip first.
  public var offset: Int?
  /// For places in the middle: the number of messages before it; `nil` for half.
  public var older: Int?
  /// Whether to include ordinals and totals; `nil` for yes.
  public var counts: Bool?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether to include ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The time zone of times without one; `nil` for UTC.
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

/// How much of a message to include.
public enum MessageDetail: String, Codable, Hashable, Sendable {
  /// What a list shows: the beginning of a long text.
  case line
  /// Everything that an export contains.
  case whole
}

extension PageQuestion {
  /// Returns the page.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> PageAnswer {
    var answer = try queries.page(try request(by: queries), detail: detail ?? .line)
    if marks == true { try queries.mark(&answer.messages) }
    return answer
  }

  /// Returns what it asks of the store.
  package func request(by queries: QuestionAnswerer) throws(StoreError) -> PageRequest {
    PageRequest(
      try queries.selection(of: self), order: order ?? .oldestFirst,
      anchor: try queries.anchor(at, zone: timeZone), fetchLimit: try QuestionAnswerer.limit(limit),
      fetchOffset: offset ?? 0, olderShare: older, wantsCounts: counts ?? true)
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

/// A page: consecutive messages, and their position in the selection.
public struct PageAnswer: HistoryAnswer, ServedAnswer {
  /// Consecutive, in the order asked for.
  public var messages: [MessageAnswer]
  /// Whether there are older messages than these.
  public var hasOlder: Bool
  /// Whether there are newer messages than these.
  public var hasNewer: Bool
  /// The ordinal of the page's oldest message, 1 being the oldest of all; `nil` if counts were not asked for,
  /// like the following keys.
  public var firstNumber: Int?
  /// The number of messages in the selection.
  public var total: Int?
  /// Whether both numbers are exact rather than estimates.
  public var exact: Bool?
  /// How the requested place was found.
  public var found: Page.Resolution.Match
  /// The message at the requested place.
  public var foundID: Message.ID?
  /// The version of the selection.
  public var version: SourceVersion
  /// The place at which to continue, if reading stopped before the limit or an end, since few of very many
  /// messages meet the condition.
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
  ///   - request: The selection, the place and the limit.
  ///   - detail: How much to include. A page of whole messages ends after some megabytes of text.
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
