extension Page {
  /// Creates the page for a request to a source with all messages in memory: a whole source in one call.
  ///
  /// ```swift
  /// func page(_ request: PageRequest) throws(StoreError) -> Page {
  ///   try Page(answering: request, in: messages)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - messages: All messages of the source, in ascending order.
  ///   - gaps: The gaps of its conversations.
  ///   - mark: The newest message read in the requested conversation, if any.
  ///   - version: The state of the source, which must differ after each change; `nil` if messages are only
  ///     added.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset.
  /// - Complexity: O(*messages*).
  public init(
    answering request: PageRequest, in messages: [Message], gaps: [MessageGap] = [],
    readUpTo mark: Message.ID? = nil, version: SourceVersion? = nil
  ) throws(StoreError) {
    try request.checkCounts()
    let selected = SelectedMessages(
      messages: messages.filter(request.selection.contains), gaps: gaps,
      conversation: request.selection.conversations.one,
      isComplete: !gaps.contains { request.selection.conversations.contain($0.conversation) },
      readMark: .init(mark, of: request.selection.conversations))
    self = selected.page(request, version: version ?? SourceVersion(inserted: messages.count))
  }
}

private struct SelectedMessages {
  let messages: [Message]
  let gaps: [MessageGap]
  /// The requested conversation, if it is the only one.
  let conversation: Conversation.ID?
  let isComplete: Bool
  let readMark: ReadMark

  enum ReadMark {
    /// The selection has several conversations.
    case none
    case nothingRead
    case upTo(Message.ID)
  }

  /// The request's limit and offset must not be negative.
  func page(_ request: PageRequest, version: SourceVersion) -> Page {
    var request = request
    // Without unread messages it is the newest end, from which an offset skips.
    if request.anchor == .firstUnread, !messages.contains(where: isUnread) { request.anchor = .newest }
    var (pivot, resolution) = resolve(request.anchor)
    let offset = min(request.fetchOffset, messages.count)
    if request.anchor.isAround, offset > 0, !messages.isEmpty {
      (pivot, resolution) = resolve(ordinal: request.order == .oldestFirst ? pivot + offset : pivot - offset)
    }
    let place = place(of: request, pivot: pivot, offset: offset)
    let stretch = request.stopsAtGaps ? stretch(from: place, of: request) : messages.indices
    let range = range(of: request, from: place, within: stretch)
    let held = messages[range]
    var page = Page(
      messages: request.order == .oldestFirst ? Array(held) : held.reversed(),
      hasOlder: range.lowerBound > 0,
      hasNewer: range.upperBound < messages.count,
      counts: request.wantsCounts
        ? Page.Counts(firstOrdinal: range.lowerBound, total: messages.count, isComplete: isComplete) : nil,
      resolution: resolution,
      version: version)
    if request.stopsAtGaps { addGaps(to: &page, of: request, at: range) }
    return page
  }

  /// Returns the index where a page in one direction begins or ends, or the index of the message at its
  /// centre.
  ///
  /// An offset skips messages from the anchor on: away from an end or an id. Around a message, it has moved
  /// the pivot already.
  private func place(of request: PageRequest, pivot: Int, offset: Int) -> Int {
    switch request.anchor {
    case .newest, .before: max(pivot - offset, 0)
    case .oldest, .after: min(pivot + offset, messages.count)
    default: pivot
    }
  }

  private func range(of request: PageRequest, from place: Int, within stretch: Range<Int>) -> Range<Int> {
    let limit = request.fetchLimit
    switch request.anchor {
    case .newest, .before: return max(place - limit, min(stretch.lowerBound, place))..<place
    case .oldest, .after: return place..<min(place + limit, max(stretch.upperBound, place))
    default:
      let range = range(
        around: place - stretch.lowerBound, of: stretch.count, limit: limit, share: request.olderShare)
      return (range.lowerBound + stretch.lowerBound)..<(range.upperBound + stretch.lowerBound)
    }
  }

  private func range(around pivot: Int, of count: Int, limit: Int, share: Int?) -> Range<Int> {
    let wanted = min(max(share ?? limit / 2, 0), max(limit - 1, 0))
    let newer = min(limit - min(wanted, pivot), count - pivot)
    let older = min(limit - newer, pivot)
    return (pivot - older)..<(pivot + newer)
  }

  /// The gap before the message at an index, or after the last one.
  private func gap(at index: Int, from lower: Message.ID? = nil, to upper: Message.ID? = nil) -> MessageGap? {
    guard let conversation else { return nil }
    return gaps.gap(
      in: conversation, from: lower ?? (index > 0 ? messages[index - 1].id : nil),
      to: upper ?? (index < messages.count ? messages[index].id : nil))
  }

  /// Returns the indices up to the next gaps.
  private func stretch(from place: Int, of request: PageRequest) -> Range<Int> {
    var (lower, upper) = (place, place)
    if isBeyondGap(request, at: place) { return place..<place }
    switch request.anchor {
    case .newest, .before: lower = max(place - 1, 0)
    default: upper = min(place + 1, messages.count)
    }
    while lower > 0, lower < messages.count, gap(at: lower) == nil { lower -= 1 }
    while upper > 0, upper < messages.count, gap(at: upper) == nil { upper += 1 }
    return lower..<upper
  }

  /// Whether a gap separates the anchor's id from the first message in its direction.
  private func isBeyondGap(_ request: PageRequest, at place: Int) -> Bool {
    guard request.fetchOffset == 0 else { return false }
    return switch request.anchor {
    case .before(let id): gap(at: place, to: id) != nil
    case .after(let id): gap(at: place, from: id) != nil
    default: false
    }
  }

  private func addGaps(to page: inout Page, of request: PageRequest, at range: Range<Int>) {
    guard request.fetchLimit > 0 else { return }
    if range.isEmpty {
      switch request.anchor {
      case .before(let id) where request.fetchOffset == 0: page.olderGap = gap(at: range.lowerBound, to: id)
      case .after(let id) where request.fetchOffset == 0: page.newerGap = gap(at: range.lowerBound, from: id)
      default: if messages.isEmpty { page.olderGap = gap(at: 0) }
      }
      return
    }
    page.olderGap = gap(at: range.lowerBound)
    page.newerGap = gap(at: range.upperBound)
  }

  private func resolve(_ anchor: PageAnchor) -> (pivot: Int, Page.Resolution) {
    guard !messages.isEmpty else { return (0, Page.Resolution(.nothing)) }
    switch anchor {
    case .newest: return (messages.count, Page.Resolution(.exact))
    case .oldest: return (0, Page.Resolution(.exact))
    case .before(let id): return (index(atOrAfter: id), Page.Resolution(.exact))
    case .after(let id): return (messages.partitioningIndex { $0.id > id }, Page.Resolution(.exact))
    case .around(let id): return resolve(around: id)
    case .time(let time): return resolve(moment: time)
    case .ordinal(let ordinal):
      return resolve(ordinal: ordinal)
    case .percent(let percent):
      let ordinal = PageAnchor.ordinal(atPercent: percent, of: messages.count)
      return resolve(ordinal: ordinal, isClamped: !(0...100).contains(percent))
    case .firstUnread:
      guard let first = messages.firstIndex(where: isUnread) else { return resolve(.newest) }
      let mark: Message.ID? = if case .upTo(let mark) = readMark { mark } else { nil }
      return beyondGap(resolve(first: first), from: mark, to: messages[first].id)
    }
  }

  /// Replaces the resolution if the message asked for may be in a gap between two ids.
  private func beyondGap(
    _ found: (pivot: Int, Page.Resolution), from lower: Message.ID?, to upper: Message.ID?
  ) -> (pivot: Int, Page.Resolution) {
    guard let conversation, lower == nil || lower != upper,
      gaps.gap(in: conversation, from: lower, to: upper) != nil
    else { return found }
    return (found.pivot, Page.Resolution(.beyondGap, message: found.1.message))
  }

  /// Finds the message written first at or after a moment, else the last one written before it.
  private func resolve(moment: Timestamp) -> (pivot: Int, Page.Resolution) {
    let place = Message.ID(time: moment)
    let ordered = messages.indices.sorted { (messages[$0].moment, $0) < (messages[$1].moment, $1) }
    guard let index = ordered.first(where: { messages[$0].moment >= moment }) else {
      let last = ordered[ordered.count - 1]
      let found = (last, Page.Resolution(.nearestOlder, message: messages[last].id))
      return messages[last].writtenAt == nil ? beyondGap(found, from: place, to: nil) : found
    }
    let found = (index, Page.Resolution(.exact, message: messages[index].id))
    return messages[index].writtenAt == nil ? beyondGap(found, from: place, to: messages[index].id) : found
  }

  private func resolve(around id: Message.ID) -> (pivot: Int, Page.Resolution) {
    let place = index(atOrAfter: id)
    if place < messages.count, messages[place].id == id {
      return (place, Page.Resolution(.exact, message: id))
    }
    let isMissing = gaps.contains {
      $0.conversation == conversation && $0.ends.older < id && id < $0.ends.newer
    }
    let index = max(place - 1, 0)
    let match: Page.Resolution.Match = isMissing ? .beyondGap : place > 0 ? .nearestOlder : .nearestNewer
    return (index, Page.Resolution(match, message: messages[index].id))
  }

  /// The last message stands in for an index behind it.
  private func resolve(first index: Int) -> (pivot: Int, Page.Resolution) {
    if index < messages.count { return (index, Page.Resolution(.exact, message: messages[index].id)) }
    return (index - 1, Page.Resolution(.nearestOlder, message: messages[index - 1].id))
  }

  private func resolve(ordinal: Int, isClamped: Bool = false) -> (pivot: Int, Page.Resolution) {
    let index = min(max(ordinal, 0), messages.count - 1)
    return (
      index, Page.Resolution(isClamped || index != ordinal ? .clamped : .exact, message: messages[index].id)
    )
  }

  private func isUnread(_ message: Message) -> Bool {
    switch readMark {
    case .none: false
    case .nothingRead: true
    case .upTo(let mark): message.id > mark
    }
  }

  private func index(atOrAfter id: Message.ID) -> Int { messages.partitioningIndex { $0.id >= id } }
}

extension Selection.Conversations {
  package var one: Conversation.ID? {
    if case .some(let ids) = self, ids.count == 1 { ids.first } else { nil }
  }

  fileprivate func contain(_ id: Conversation.ID) -> Bool {
    if case .some(let ids) = self { ids.contains(id) } else { true }
  }
}

extension SelectedMessages.ReadMark {
  /// Only a single conversation has a first unread message.
  init(_ mark: Message.ID?, of conversations: Selection.Conversations) {
    guard case .some(let ids) = conversations, ids.count == 1 else {
      self = .none
      return
    }
    self = mark.map { .upTo($0) } ?? .nothingRead
  }
}
