internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the recorded gaps of a conversation, oldest first.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - id: ``MessageGap/after`` of the last gap before, to continue; `nil` to begin.
  ///   - limit: The most gaps.
  /// - Complexity: O(log *gaps* + `limit`).
  public func gaps(
    of conversation: Conversation.ID, after id: Message.ID? = nil, limit: Int = 100
  ) throws(StoreError) -> [MessageGap] {
    try store.reading("cannot read the gaps of conversation \(conversation.rawValue)", unpublished: []) {
      db in
      try GapTable(db: db, conversation: conversation.rawValue)
        .rows(beginningAfter: id, limit: max(limit, 0)).map { row in
          MessageGap(
            in: conversation, after: row.older == .min ? nil : Message.ID(rawValue: row.older),
            before: row.newer == .max ? nil : Message.ID(rawValue: row.newer), token: row.token,
            size: row.size)
        }
    }
  }
}

extension StoreWriting {
  /// Records that messages may be missing between two messages of a conversation, or beyond one at an end.
  ///
  /// ```swift
  /// // The newest hundred messages were loaded; what is older is on the server.
  /// try store.setGap(in: room, before: oldest, token: answer.next)
  /// ```
  ///
  /// Overlapping gaps are merged with it. The messages at its ends need not exist; an existing message within
  /// it stays, with a gap on both sides.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - after: The message before the gap; `nil` if nothing older is here.
  ///   - before: The message after the gap; `nil` if nothing newer is here.
  ///   - token: The server's token to continue from, at the newer end.
  ///   - size: The number of missing messages, if known.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `invalidRequest` if it
  ///   would end before it begins or lack fewer than no messages.
  /// - Complexity: O(log *gaps* + gaps that it overlaps).
  public func setGap(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil,
    token: String? = nil,
    size: Int? = nil
  ) throws(StoreError) {
    let doing = "cannot note a gap of conversation \(conversation.rawValue)"
    let gap = MessageGap(in: conversation, after: after, before: before, token: token, size: size)
    try store.writing(doing) { db in
      try SynchronousMessageStore.requireConversation(conversation, in: db)
      let (older, newer) = try SynchronousMessageStore.ends(of: gap, in: db)
      guard older < newer, size ?? 0 >= 0 else {
        throw StoreError(
          .invalidRequest, doing,
          cause: older < newer ? "its size is negative" : "it would end before it begins",
          remedy: "the older message first, then the newer one")
      }
      try GapTable(db: db, conversation: conversation.rawValue).add(
        GapTable.Row(older: older, newer: newer, token: token, size: size))
    }
  }

  /// Stores messages loaded from a gap, and what still is missing, in one transaction.
  ///
  /// ```swift
  /// let answer = try await server.messages(before: key, limit: 50)
  /// try await store.write { store in
  ///   try store.fillGap(gap, answer.isLast ? .all : .newest, with: answer.messages)
  /// }
  /// ```
  ///
  /// The messages must be all that the server has from the end of the gap up to the farthest of them. They
  /// are stored as by ``append(_:to:reading:)``, which recognises and updates those that are here already. Messages
  /// beyond the gap are recognised, too, so a request for more than is missing closes it. The same reply may
  /// come twice, late, and after others.
  ///
  /// Messages of one time get the server's order, also across replies: existing ones that follow the loaded
  /// ones are moved behind them (``move(_:to:)-(_,Message.ID)``), as long as no more than a few hundred have
  /// that time.
  ///
  /// - Parameters:
  ///   - gap: The gap, from a page or ``StoreReading/gaps(of:after:limit:)``. It may have changed since.
  ///   - part: The part of the gap that the messages fill: its newest, its oldest, or all.
  ///   - messages: The messages in the server's order, oldest first, with their times and the server's ids.
  ///   - token: The server's token to continue from; `nil` for none.
  ///   - size: The number of messages still missing; `nil` to compute it from the known size.
  /// - Returns: The present ids of the messages.
  /// - Throws: What ``append(_:to:reading:)`` throws, and `invalidRequest` for a negative size. Nothing is
  ///   written then.
  /// - Complexity: O(messages + gaps that are filled).
  @discardableResult
  public func fillGap(
    _ gap: MessageGap, _ part: MessageGap.Part, with messages: [NewMessage], token: String? = nil,
    size: Int? = nil
  ) throws(StoreError) -> [Message.ID] {
    guard size ?? 0 >= 0 else {
      throw StoreError(.invalidRequest, "cannot fill a gap", cause: "its remaining size is negative")
    }
    return try store.append(messages, to: gap.conversation) { db, ids, newCount in
      let loaded = zip(ids, messages).map { (id: $0, time: $1.time) }
      let filling = GapFilling(
        gaps: GapTable(db: db, conversation: gap.conversation.rawValue), token: token, size: size,
        newCount: newCount)
      let ends = try SynchronousMessageStore.ends(of: gap, in: db)
      try filling.fill(part, ends, reach: MessageGap.reach(of: loaded, part)?.rawValue)
      ids = try SharedMilliseconds(db: db, conversation: gap.conversation.rawValue)
        .settle(loaded, before: Message.ID(rawValue: ends.newer))
    }
  }

  /// Records that no messages are missing between two messages of a conversation, or beyond one at an end.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation.
  /// - Complexity: O(log *gaps* + gaps between them).
  public func removeGaps(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil
  ) throws(StoreError) {
    try store.writing("cannot change the gaps of conversation \(conversation.rawValue)") { db in
      try SynchronousMessageStore.requireConversation(conversation, in: db)
      let (older, newer) = try SynchronousMessageStore.ends(
        of: MessageGap(in: conversation, after: after, before: before), in: db)
      if older < newer {
        try GapTable(db: db, conversation: conversation.rawValue).remove(from: older, to: newer)
      }
    }
  }
}

extension SynchronousMessageStore {
  static func ends(of gap: MessageGap, in db: Database) throws -> (older: Int64, newer: Int64) {
    (
      try gap.after.map { try placed($0, in: db).rawValue } ?? .min,
      try gap.before.map { try placed($0, in: db).rawValue } ?? .max
    )
  }
}

private struct GapFilling {
  let gaps: GapTable
  let token: String?
  let size: Int?
  let newCount: Int

  /// - Parameter reach: The end of the loaded messages; `nil` if there are none.
  func fill(_ part: MessageGap.Part, _ ends: (older: Int64, newer: Int64), reach: Int64?) throws {
    switch part {
    case .all:
      if ends.older < ends.newer { try gaps.remove(from: ends.older, to: ends.newer) }
    case .newest:
      guard let reach, reach < ends.newer else {
        return try gaps.change(at: ends.newer) { rest in
          let whole = rest
          note(&rest, whole)
        }
      }
      try gaps.remove(from: reach, to: ends.newer) { rest, whole in
        if rest.newer == reach { note(&rest, whole) }
      }
    case .oldest:
      guard let reach, reach > ends.older else { return }
      try gaps.remove(from: ends.older, to: reach) { rest, whole in
        guard rest.older == reach else { return }
        let known = rest.token
        note(&rest, whole)
        rest.token = token ?? known
      }
    }
  }

  private func note(_ rest: inout GapTable.Row, _ whole: GapTable.Row) {
    rest.token = token
    rest.size = size ?? whole.size.map { max($0 - newCount, 0) }
  }
}
