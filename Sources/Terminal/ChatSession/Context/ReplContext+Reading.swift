internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// Takes over what counts as read where nobody has said so: what was imported. It is written down, so that it stays so.
  mutating func adoptReadMark() throws(StoreError) {
    defer { answersReadUpTo = openConversation?.readUpTo }
    guard let conversation = openConversation, conversation.readUpTo == nil,
      let mark = try store.readMark(of: conversation.id)
    else { return }
    countAsRead(upTo: mark, in: conversation.id)
  }

  /// Notes that messages were on the screen, one below the other. All of their conversations up to them counts as read then,
  /// unless there are unread messages before them; a filter hides some, so nothing is read under one, nor where only some
  /// messages of a conversation are shown.
  ///
  /// - Complexity: O(messages) for who reads on from where the marks are; for others a page of one message for each of their
  ///   conversations.
  mutating func noteSeen(_ messages: some Sequence<Message>) {
    guard filter == nil else { return }
    var runs: [Conversation.ID: ClosedRange<Message.ID>] = [:]
    for message in messages where timeline.showsAll(of: message.conversation) {
      let first = runs[message.conversation]?.lowerBound ?? message.id
      runs[message.conversation] = min(first, message.id)...max(first, message.id)
    }
    for (conversation, run) in runs { noteSeen(run, in: conversation) }
  }

  private mutating func noteSeen(_ run: ClosedRange<Message.ID>, in conversation: Conversation.ID) {
    do throws(StoreError) {
      if let mark = try readMark(of: conversation) {
        guard run.upperBound > mark else { return }
        if run.lowerBound > mark, hasUnread(before: run.lowerBound, in: conversation) { return }
      }
      countAsRead(upTo: run.upperBound, in: conversation)
    } catch {
      // What cannot be read now has not been read.
    }
  }

  /// The mark of a conversation as far as it is known here; `nil` where one that is open alone has none.
  private mutating func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    if let open = openConversation { return open.readUpTo }
    if let known = readMarks[conversation] { return known }
    if readMarks.count >= Self.mostReadMarks { readMarks = [:] }
    let mark = max(try store.readMark(of: conversation) ?? .lowest, unwritten[conversation] ?? .lowest)
    readMarks[conversation] = mark
    return mark
  }

  private static let mostReadMarks = 10_000

  /// Whether a message is known to be read, where several conversations are shown.
  func hasRead(_ message: Message) -> Bool {
    readMarks[message.conversation].map { message.id <= $0 } ?? false
  }

  /// Notes that all messages up to this one count as read: who writes has caught up.
  private mutating func countAsRead(upTo id: Message.ID, in conversation: Conversation.ID) {
    setMark(id, of: conversation)
    unwritten.note(id, in: conversation)
  }

  /// Takes a mark over; it never moves back.
  mutating func setMark(_ id: Message.ID, of conversation: Conversation.ID) {
    switch timeline {
    case .conversation(var open):
      guard open.id == conversation else { return }
      open.readUpTo = max(id, open.readUpTo ?? id)
      timeline = .conversation(open)
    case .everything, .person: readMarks[conversation] = max(id, readMarks[conversation] ?? id)
    }
  }

  /// Writes how far was read. A store that cannot be written to can still be read.
  package mutating func writeReadPositions() {
    do { try store.markRead(unwritten) } catch { return }
    unwritten = ReadPositions()
  }

  /// Returns the first unread message that the filter lets through, those behind `mark` being unread.
  ///
  /// - Parameter mark: `nil` for where the store has it.
  func anchor(ofUnreadAfter mark: Message.ID?) throws(StoreError) -> PageAnchor {
    guard let mark else { return .firstUnread }
    let request = PageRequest(selection, anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first.map { .around($0.id) } ?? .newest
  }

  /// Whether messages lie between the mark and this one, the mark being where others may have put it by now. What cannot
  /// be read now has not been read.
  private mutating func hasUnread(before id: Message.ID, in conversation: Conversation.ID) -> Bool {
    do throws(StoreError) {
      let known = try readMark(of: conversation) ?? .lowest
      guard let next = try first(in: conversation, behind: known), next < id else { return false }
      guard let mark = try store.readMark(of: conversation), mark > known else { return true }
      setMark(mark, of: conversation)
      return try first(in: conversation, behind: mark).map { $0 < id } ?? false
    } catch {
      return true
    }
  }

  /// The first unread message, whatever a filter hides; `nil` if there is none, or no mark.
  ///
  /// - Complexity: O(1) in a conversation; where several are shown, O(conversations).
  var firstUnread: Message.ID? {
    get throws(StoreError) {
      if let conversation = openConversation {
        return try conversation.readUpTo.flatMap { mark throws(StoreError) in
          try first(in: conversation.id, behind: mark)
        }
      }
      return try store.firstUnread(in: timeline.wholeConversations, beyond: unwritten)
    }
  }

  /// The place behind which messages are unread; `nil` if none are.
  var unreadMark: Message.ID? {
    get throws(StoreError) {
      guard let first = try firstUnread else { return nil }
      return openConversation?.readUpTo ?? first.predecessor
    }
  }

  /// The place behind which unread messages would be, where nothing says that there are any; `nil` for where the store has it.
  var readEdge: Message.ID? {
    switch timeline {
    case .conversation(let conversation): unwritten[conversation.id]
    case .everything, .person: .highest
    }
  }

  private func first(
    in conversation: Conversation.ID, behind mark: Message.ID
  ) throws(StoreError) -> Message.ID? {
    let request = PageRequest(
      Selection(conversation), anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first?.id
  }
}
