extension Page {
  /// Creates the answer to a request of a source that has all its messages in memory: a whole source in one call.
  ///
  /// ```swift
  /// func page(_ request: PageRequest) throws(StoreError) -> Page {
  ///   try Page(answering: request, in: messages)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - messages: All messages of the source, by ascending id.
  ///   - mark: The newest message that was read of the conversation that is asked for; `nil` if nothing was.
  ///   - version: The state of the source, which has to move with each change; `nil` where messages only come, and never change
  ///     or go.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset.
  /// - Complexity: O(*messages*).
  public init(
    answering request: PageRequest, in messages: [Message], readUpTo mark: Message.ID? = nil,
    version: SourceVersion? = nil
  ) throws(StoreError) {
    guard request.fetchLimit >= 0, request.fetchOffset >= 0 else {
      throw StoreError(
        .invalidRequest, "cannot read a page", cause: "a limit or an offset is negative",
        remedy: "0 or more for both")
    }
    let selected = SelectedMessages(
      messages: messages.filter(request.selection.contains),
      readMark: .init(mark, of: request.selection.conversations))
    self = selected.page(request, version: version ?? SourceVersion(inserted: messages.count))
  }
}

/// All messages of a selection, oldest first: what a page is cut from.
private struct SelectedMessages {
  let messages: [Message]
  let readMark: ReadMark

  /// Up to where they were read.
  enum ReadMark {
    /// They are of several conversations.
    case none
    case nothingRead
    case upTo(Message.ID)
  }

  /// Returns the page that `request` asks for; its limit and offset are not negative.
  func page(_ request: PageRequest, version: SourceVersion) -> Page {
    var request = request
    // Where nothing is unread it is the newest end, from which an offset skips.
    if request.anchor == .firstUnread, !messages.contains(where: isUnread) { request.anchor = .newest }
    var (pivot, resolution) = resolve(request.anchor)
    let offset = min(request.fetchOffset, messages.count)
    if request.anchor.isAround, offset > 0, !messages.isEmpty {
      (pivot, resolution) = resolve(ordinal: request.order == .oldestFirst ? pivot + offset : pivot - offset)
    }
    let range = range(of: request, pivot: pivot, offset: offset)
    let held = messages[range]
    return Page(
      messages: request.order == .oldestFirst ? Array(held) : held.reversed(),
      hasOlder: range.lowerBound > 0,
      hasNewer: range.upperBound < messages.count,
      counts: request.wantsCounts
        ? Page.Counts(firstOrdinal: range.lowerBound, total: messages.count) : nil,
      resolution: resolution,
      version: version)
  }

  /// Returns the indices of the page, given the index before which the anchor lies or which it is.
  ///
  /// An offset skips messages from the anchor onward: away from an end or a bound; around a message, in the order of
  /// the request, which has moved the pivot already.
  private func range(of request: PageRequest, pivot: Int, offset: Int) -> Range<Int> {
    let limit = request.fetchLimit
    switch request.anchor {
    case .newest, .before:
      let end = max(pivot - offset, 0)
      return max(end - limit, 0)..<end
    case .oldest, .after:
      let start = min(pivot + offset, messages.count)
      return start..<min(start + limit, messages.count)
    default: return range(around: pivot, limit: limit, share: request.olderShare)
    }
  }

  private func range(around pivot: Int, limit: Int, share: Int?) -> Range<Int> {
    let wanted = min(max(share ?? limit / 2, 0), max(limit - 1, 0))
    let newer = min(limit - min(wanted, pivot), messages.count - pivot)
    let older = min(limit - newer, pivot)
    return (pivot - older)..<(pivot + newer)
  }

  private func resolve(_ anchor: PageAnchor) -> (pivot: Int, Page.Resolution) {
    guard !messages.isEmpty else { return (0, Page.Resolution(.nothing)) }
    switch anchor {
    case .newest: return (messages.count, Page.Resolution(.exact))
    case .oldest: return (0, Page.Resolution(.exact))
    case .before(let id): return (index(atOrAfter: id), Page.Resolution(.exact))
    case .after(let id): return (messages.partitioningIndex { $0.id > id }, Page.Resolution(.exact))
    case .around(let id): return resolve(around: id)
    case .time(let time): return resolve(first: index(atOrAfter: Message.ID(time: time)))
    case .ordinal(let ordinal):
      return resolve(ordinal: ordinal)
    case .percent(let percent):
      let ordinal = PageAnchor.ordinal(atPercent: percent, of: messages.count)
      return resolve(ordinal: ordinal, isClamped: !(0...100).contains(percent))
    case .firstUnread:
      guard let first = messages.firstIndex(where: isUnread) else { return resolve(.newest) }
      return resolve(first: first)
    }
  }

  private func resolve(around id: Message.ID) -> (pivot: Int, Page.Resolution) {
    let place = index(atOrAfter: id)
    if place < messages.count, messages[place].id == id {
      return (place, Page.Resolution(.exact, message: id))
    }
    if place > 0 { return (place - 1, Page.Resolution(.nearestOlder, message: messages[place - 1].id)) }
    return (place, Page.Resolution(.nearestNewer, message: messages[place].id))
  }

  /// The message at `index` is meant; if that is behind the last, the last stands in.
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

extension SelectedMessages.ReadMark {
  /// Only one conversation has a first unread message.
  init(_ mark: Message.ID?, of conversations: Selection.Conversations) {
    guard case .some(let ids) = conversations, ids.count == 1 else {
      self = .none
      return
    }
    self = mark.map { .upTo($0) } ?? .nothingRead
  }
}
