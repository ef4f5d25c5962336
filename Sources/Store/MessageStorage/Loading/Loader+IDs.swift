internal import MessageModel

extension Loader {
  /// Returns ascending ids for a run of new messages: between their neighbours in the source, or else beside
  /// the interval's stored messages.
  func ids(
    _ count: Int, in group: EntryGroup, _ conversation: LoadState.ConversationState, after last: Message.ID?,
    before next: Message.ID?
  ) throws -> [Message.ID] {
    let placement = Placement(
      time: group.first.time, precision: group.first.precision, conversation: conversation.id)
    var (lower, upper) = (last, next)
    if conversation.newest >= (last ?? placement.interval.lowerBound).rawValue {
      let edges = IntervalEdges(db: db, conversation: conversation.id, interval: placement.interval)
      if let lower {
        upper = try edges.next(after: lower) ?? upper
      } else if let upper {
        lower = try edges.next(before: upper)
      } else if group.isLast, !state.isAtStartOfFile {
        upper = try edges.first()
      } else {
        lower = try edges.last()
      }
    }
    if let ids = placement.ids(count, after: lower, before: upper) { return ids }
    // Without room between the neighbours, the next free ids after them.
    let start = placement.start(of: count, after: lower)
    return (1...Int64(count)).map { Message.ID(rawValue: start <= .max - $0 ? start + $0 : .max) }
  }

  mutating func freeID(from wanted: Message.ID, in interval: ClosedRange<Message.ID>) throws
    -> Message.ID
  {
    let free = FreeIDs(db: db)
    var ranges = [interval, interval.upperBound...(.highest)]
    if interval.contains(wanted) { ranges.insert(wanted...interval.upperBound, at: 0) }
    for range in ranges {
      if let id = try free.take(from: range, &state.taken) { return id }
    }
    throw StoreError(.invalidRequest, "cannot import a message", cause: "there is no later time than its own")
  }
}
