internal import MessageModel
internal import MessageStorage

extension ReplContext {
  mutating func adoptReadMark() throws(StoreError) {
    defer { answersReadUpTo = openConversation?.readUpTo }
    guard let conversation = openConversation, let mark = try store.readMark(of: conversation.id) else {
      return
    }
    if conversation.readUpTo == nil {
      countAsRead(upTo: mark, in: conversation.id)
    } else {
      setMark(mark, of: conversation.id)
    }
  }

  /// Marks messages seen on the screen as read, and everything before them unless earlier ones are unread.
  /// Nothing counts as read under a filter, or in conversations shown only in part.
  ///
  /// - Complexity: O(messages) when reading continues at the read mark; else a page of one message per
  ///   conversation.
  mutating func noteSeen(_ messages: some Sequence<Message>) {
    guard filter == nil else { return }
    var runs: [Conversation.ID: ClosedRange<Message.ID>] = [:]
    for message in messages where timeline.showsAll(of: message.conversation) {
      let first = runs[message.conversation]?.lowerBound ?? message.id
      runs[message.conversation] = min(first, message.id)...max(first, message.id)
    }
    for (conversation, run) in runs where markedUnread[conversation] == nil {
      noteSeen(run, in: conversation)
    }
  }

  private mutating func noteSeen(_ run: ClosedRange<Message.ID>, in conversation: Conversation.ID) {
    do throws(StoreError) {
      if let mark = try readMark(of: conversation) {
        guard run.upperBound > mark else { return }
        if run.lowerBound > mark, hasUnread(before: run.lowerBound, in: conversation) { return }
      }
      countAsRead(upTo: run.upperBound, in: conversation)
    } catch {
      // On an error the messages stay unread.
    }
  }

  /// `nil` where the open conversation has no mark.
  private mutating func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    if let open = openConversation { return open.readUpTo }
    if let known = readMarks[conversation] { return known }
    if readMarks.count >= Self.mostReadMarks { readMarks = [:] }
    let mark = max(try store.readMark(of: conversation) ?? .lowest, unwritten[conversation] ?? .lowest)
    readMarks[conversation] = mark
    return mark
  }

  private static let mostReadMarks = 10_000

  func hasRead(_ message: Message) -> Bool {
    readMarks[message.conversation].map { message.id <= $0 } ?? false
  }

  private mutating func countAsRead(upTo id: Message.ID, in conversation: Conversation.ID) {
    setMark(id, of: conversation)
    unwritten.note(id, in: conversation)
  }

  /// A mark never moves back.
  mutating func setMark(_ id: Message.ID, of conversation: Conversation.ID) {
    switch timeline {
    case .conversation(var open):
      guard open.id == conversation else { return }
      open.readUpTo = max(id, open.readUpTo ?? id)
      timeline = .conversation(open)
    case .everything, .person: readMarks[conversation] = max(id, readMarks[conversation] ?? id)
    }
  }

  mutating func markUnread(from message: Message) throws(StoreError) {
    // Marks that are not written yet would move forward again what moves back here.
    try store.markRead(unwritten)
    unwritten = ReadPositions()
    try store.markUnread(message.conversation, from: message.id)
    markedUnread[message.conversation] = message.id
    readMarks[message.conversation] = nil
    if case .conversation(var open) = timeline, open.id == message.conversation {
      open.readUpTo = try store.readMark(of: open.id)
      timeline = .conversation(open)
    }
  }

  /// A read-only store keeps its marks.
  package mutating func writeReadPositions() {
    do { try store.markRead(unwritten) } catch { return }
    unwritten = ReadPositions()
  }

  /// The first unread message after `mark` under the filter; `nil` for the store's own mark.
  func anchor(ofUnreadAfter mark: Message.ID?) throws(StoreError) -> PageAnchor {
    guard let mark else { return .firstUnread }
    let own = try store.me()
    let byOthers = own.isEmpty ? selection : selection.narrowed(to: .not(.sender(own)))
    let request = PageRequest(byOthers, anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first.map { .around($0.id) } ?? .newest
  }

  /// Checks the store's mark, which others may have moved. On an error there are.
  private mutating func hasUnread(before id: Message.ID, in conversation: Conversation.ID) -> Bool {
    do throws(StoreError) {
      let known = try readMark(of: conversation) ?? .lowest
      guard let next = try store.firstUnread(in: conversation, after: known), next < id else { return false }
      guard let mark = try store.readMark(of: conversation), mark > known else { return true }
      setMark(mark, of: conversation)
      return try store.firstUnread(in: conversation, after: mark).map { $0 < id } ?? false
    } catch {
      return true
    }
  }

  /// The first unread message regardless of the filter; `nil` if there is none, or no mark.
  ///
  /// - Complexity: O(1) in a conversation, else O(conversations).
  var firstUnread: Message.ID? {
    get throws(StoreError) {
      if let conversation = openConversation {
        return try conversation.readUpTo.flatMap { mark throws(StoreError) in
          try store.firstUnread(in: conversation.id, after: mark)
        }
      }
      return try store.firstUnread(in: timeline.wholeConversations, beyond: unwritten)
    }
  }

  var unreadMark: Message.ID? {
    get throws(StoreError) {
      guard let first = try firstUnread else { return nil }
      guard let conversation = openConversation, let mark = conversation.readUpTo else {
        return first.predecessor
      }
      // The user's own messages may come first after the mark.
      let request = PageRequest(
        Selection(conversation.id), anchor: .before(first), fetchLimit: 1, wantsCounts: false)
      return try max(mark, store.page(request).messages.first?.id ?? mark)
    }
  }

  var readEdge: Message.ID? {
    switch timeline {
    case .conversation(let conversation): unwritten[conversation.id]
    case .everything, .person: .highest
    }
  }
}

extension Session {
  /// When read marks are saved: some time after reading, so that paging through unread messages does not
  /// write each time, and no key waits.
  package struct Marking: Sendable {
    /// The least time between two writes.
    package var interval = Duration.seconds(1)
    var isUnderWay = false
    /// Read marks that the store refused; retried with later ones, and at the end.
    var refused: ReadPositions?
    fileprivate var dueAt: ContinuousClock.Instant?

    var wakesAt: ContinuousClock.Instant? { isUnderWay ? nil : dueAt }
  }

  mutating func markingRead() -> [Job] {
    guard !context.unwritten.isEmpty, context.unwritten != marking.refused else {
      marking.dueAt = nil
      return []
    }
    if marking.isUnderWay { return [] }
    guard let due = marking.dueAt else {
      marking.dueAt = .now + marking.interval
      return []
    }
    if due > .now { return [] }
    (marking.dueAt, marking.isUnderWay) = (nil, true)
    return [
      Job(.marks) { [store = context.store, positions = context.unwritten] report, isCancelled in
        let isDone = SynchronousMessageStore.whileCancellable(by: isCancelled) {
          (try? store.markRead(positions)) != nil
        }
        report(.marked(positions, isDone: isDone))
      }
    ]
  }

  package mutating func writeReadPositions() { context.writeReadPositions() }
}
