public import MessageModel
import Synchronization

/// The naive source of messages: an array in memory, sorted by id.
///
/// It answers each `PageRequest` exactly as documented, as a reference for other sources and for their
/// readers. Every call looks at all messages.
public final class ReferenceSource: SynchronousMessageSource, MessageSource {
  fileprivate struct State {
    var messages: [Message] = []
    var everUsed: Set<Message.ID> = []
    var maxEver: Message.ID?
    var versions: [Conversation.ID: SourceVersion] = [:]
    var conversations = 0
    var gaps = GapList()
    var readMarks: [Conversation.ID: Message.ID] = [:]
    var listeners: [AsyncStream<Void>.Continuation] = []
  }

  private let state: Mutex<State>

  /// Creates a source with `messages`, in any order.
  ///
  /// - Precondition: Their ids are distinct.
  public init(_ messages: [Message] = []) {
    var initial = State()
    for message in messages { initial.insert(message) }
    state = Mutex(initial)
  }

  /// Creates a source of `count` messages in conversation 1 with the ids `step`, 2 × `step`, … and those
  /// numbers as texts.
  public convenience init(count: Int, step: Int64 = 1) {
    self.init(
      (0..<count).map { index in
        let id = Message.ID(rawValue: Int64(index + 1) * step)
        return Message(id: id, conversation: Conversation.ID(rawValue: 1), text: id.description)
      })
  }

  /// All messages, oldest first.
  public var messages: [Message] { state.withLock { $0.messages } }

  /// Returns the messages for `request`; see `MessageSource.page(_:)`.
  ///
  /// - Throws: `StoreError` of kind `invalidRequest` for a negative limit or offset.
  public func page(_ request: PageRequest) throws(StoreError) -> Page {
    try state.withLock { state throws(StoreError) in try state.answer(request) }
  }

  public func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listeners.append(continuation) }
    continuation.yield()
    return stream
  }

  /// Ends all streams of ``changes()``.
  public func close() {
    for listener in state.withLock({ $0.listeners }) { listener.finish() }
  }
}

extension ReferenceSource {
  /// Adds a message whose id follows the greatest one ever used, and returns the id.
  @discardableResult
  public func append(
    _ text: String, to conversation: Conversation.ID = Conversation.ID(rawValue: 1)
  ) -> Message.ID {
    commit { state in
      let id = state.maxEver?.successor ?? Message.ID(rawValue: 1)
      state.insert(Message(id: id, conversation: conversation, text: text))
      return id
    }
  }

  /// Adds messages at the places of their ids.
  ///
  /// - Precondition: None of the ids was ever used before.
  public func insert(_ messages: [Message]) {
    commit { state in
      for message in messages { state.insert(message) }
    }
  }

  func newConversation() -> Conversation.ID {
    state.withLock { state in
      let greatest = state.versions.keys.map(\.rawValue).max() ?? 0
      state.conversations = max(state.conversations, Int(greatest)) + 1
      return Conversation.ID(rawValue: Int64(state.conversations))
    }
  }

  func insertIfThereIsRoom(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) -> Message.ID? {
    commit { state in
      let ids = Message.ID.range(of: time, precision: .millisecond)
      let free = (ids.lowerBound.rawValue...ids.upperBound.rawValue).lazy.map(Message.ID.init(rawValue:))
        .first { !state.everUsed.contains($0) }
      if let free { state.insert(Message(id: free, conversation: conversation, text: text)) }
      return free
    }
  }

  /// Deletes the messages that exist.
  public func delete(_ ids: some Sequence<Message.ID>) {
    commit { state in
      for id in ids { state.delete(id) }
    }
  }

  /// Changes a message, if it exists, and increases its revision.
  public func edit(_ id: Message.ID, _ change: (inout Message) -> Void) {
    commit { $0.edit(id, change) }
  }

  /// Changes a message's text, if the message exists.
  public func edit(_ id: Message.ID, text: String) {
    edit(id) { message in
      message.text = text
      message.textByteCount = text.utf8.count
      message.isEdited = true
    }
  }

  /// Records that messages may be missing; see `MessageGap`.
  public func setGap(_ gap: MessageGap) {
    commit { state in
      state.gaps.add(gap)
      state.versions[gap.conversation, default: SourceVersion()].changed += 1
    }
  }

  /// Records that no messages are missing any more between two messages, or beyond one at an end.
  public func removeGaps(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil
  ) {
    fill(MessageGap(in: conversation, after: after, before: before), with: [])
  }

  /// Fills a gap in one commit. Messages with ids that were ever used are ignored.
  public func fill(_ known: MessageGap, with messages: [Message]) {
    commit { state in
      for message in messages where !state.everUsed.contains(message.id) { state.insert(message) }
      state.gaps.remove(known)
      state.versions[known.conversation, default: SourceVersion()].changed += 1
    }
  }

  /// The gap between two messages, if only one conversation has gaps; `nil` if no messages are missing.
  package func gap(from lower: Message.ID?, to upper: Message.ID?) -> MessageGap? {
    let gaps = gaps
    return gaps.first.flatMap { gaps.gap(in: $0.conversation, from: lower, to: upper) }
  }

  /// All gaps, as they were set.
  public var gaps: [MessageGap] { state.withLock { $0.gaps.gaps } }

  /// Sets the read mark of a conversation; `nil` removes it.
  public func setReadMark(_ id: Message.ID?, of conversation: Conversation.ID) {
    state.withLock { $0.readMarks[conversation] = id }
  }

  func moveReadMark(_ id: Message.ID, of conversation: Conversation.ID) {
    state.withLock { state in
      state.readMarks[conversation] = max(id, state.readMarks[conversation] ?? id)
    }
  }

  /// Notifies all listeners of a change, even without one.
  public func announceChange() {
    for listener in state.withLock({ $0.listeners }) { listener.yield() }
  }

  private func commit<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let result = state.withLock { change(&$0) }
    announceChange()
    return result
  }
}

extension ReferenceSource.State {
  mutating func insert(_ message: Message) {
    precondition(everUsed.insert(message.id).inserted, "The id \(message.id) was used before.")
    maxEver = max(maxEver ?? message.id, message.id)
    let place = messages.partitioningIndex { $0.id > message.id }
    messages.insert(message, at: place)
    versions[message.conversation, default: SourceVersion()].inserted += 1
  }

  mutating func delete(_ id: Message.ID) {
    guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
    let message = messages.remove(at: index)
    versions[message.conversation, default: SourceVersion()].deleted += 1
  }

  mutating func edit(_ id: Message.ID, _ change: (inout Message) -> Void) {
    guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
    change(&messages[index])
    messages[index].revision += 1
    versions[messages[index].conversation, default: SourceVersion()].changed += 1
  }

  func answer(_ request: PageRequest) throws(StoreError) -> Page {
    let conversations = request.selection.conversations
    return try Page(
      answering: request, in: messages, gaps: gaps.gaps, readUpTo: readMark(of: conversations),
      version: version(of: conversations))
  }

  private func readMark(of conversations: Selection.Conversations) -> Message.ID? {
    guard case .some(let ids) = conversations, let id = ids.first else { return nil }
    return readMarks[id]
  }

  private func version(of conversations: Selection.Conversations) -> SourceVersion {
    var sum = SourceVersion()
    for (conversation, version) in versions {
      if case .some(let wanted) = conversations, !wanted.contains(conversation) { continue }
      sum.inserted += version.inserted
      sum.deleted += version.deleted
      sum.changed += version.changed
    }
    return sum
  }
}
