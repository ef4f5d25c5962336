internal import MessageModel
internal import MessageStorage

/// Reads what assistants called around a message, a page at a time.
struct SessionSteps {
  let store: SynchronousMessageStore

  private static let kinds: Set<Message.Kind> = [.text, .tool, .result]
  private static let readCount = 64

  /// Returns the result of a call; `nil` if that is unknown.
  func result(of call: Message) throws(StoreError) -> Message? {
    try pairs(around: call).first { $0.call.id == call.id }?.result
  }

  /// Whether a call without effect has this result.
  static func isWithoutEffect(_ result: Message) -> Bool {
    FailureMark.begins(result.text) || ["rejected", "cancelled"].contains(where: result.text.hasPrefix)
  }

  /// Returns the call that gave a result; `nil` if that is unknown.
  func call(of result: Message) throws(StoreError) -> Message? {
    try pairs(around: result).first { $0.result.id == result.id }?.call
  }

  /// The results of a tool come in the order of its calls, of which several may run at once. A text ends what is
  /// waited for.
  private func pairs(around message: Message) throws(StoreError) -> [(call: Message, result: Message)] {
    let near = PageRequest(
      Selection(message.conversation, where: .kind(Self.kinds)), anchor: .around(message.id),
      fetchLimit: Self.readCount, wantsCounts: false)
    var waiting: [String: [Message]] = [:]
    var pairs: [(call: Message, result: Message)] = []
    for message in try store.page(near).messages {
      switch message.kind {
      case .tool: waiting[Self.tool(called: message), default: []].append(message)
      case .result:
        let tool = message.sender?.name ?? ""
        guard let call = waiting[tool]?.first else { continue }
        waiting[tool]?.removeFirst()
        pairs.append((call, message))
      case .text: waiting = [:]
      case .action, .notice, .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system, .unknown,
        .thinking:
        break
      }
    }
    return pairs
  }

  static func tool(called message: Message) -> String { message.text.textLines.first ?? "" }

  /// Returns what followed a failure: steps up to the next result of its tool that did not fail, if one is near.
  ///
  /// - Parameter isAgain: Whether a text has the same error.
  func following(
    _ failure: Message, limit: Int, isAgain: (String) -> Bool
  ) throws(StoreError) -> (steps: [Message], resolved: Message?, isCut: Bool) {
    let after = PageRequest(
      Selection(failure.conversation, where: .kind(Self.kinds)), anchor: .after(failure.id),
      fetchLimit: Self.readCount, wantsCounts: false)
    let tool = failure.kind == .result ? failure.sender?.name : nil
    let page = try store.page(after)
    var steps: [Message] = []
    var hasCalled = false
    for message in page.messages {
      if message.kind == .tool { hasCalled = true }
      // Results before the next call are of calls that ran beside the failed one.
      if message.kind == .result, !hasCalled { continue }
      steps.append(message)
      guard message.kind == .result, tool == nil || message.sender?.name == tool,
        !FailureMark.begins(message.text), !isAgain(message.text)
      else { continue }
      return (Array(steps.prefix(limit)), message, steps.count > limit)
    }
    return (Array(steps.prefix(limit)), nil, steps.count > limit || page.hasNewer)
  }
}

/// The sessions that conversations are or, of an agent or an abandoned branch, belong to.
struct SessionPlaces {
  /// What an answer says of a session.
  struct Place {
    var program: String?
    var session: String?
    var project: String?
    var title: String?
  }

  private var places: [Conversation.ID: Place] = [:]

  /// - Parameter records: Messages of the conversations.
  init(_ records: [MessageRecord], in store: SynchronousMessageStore) throws(StoreError) {
    var owners: [Conversation.ID: Conversation.ID] = [:]
    for record in records {
      let id = record.message.conversation
      guard owners[id] == nil else { continue }
      owners[id] = id
      places[id] = Place(
        program: record.conversationIdentity?.platform, session: record.conversationIdentity?.key)
      if let identity = record.conversationIdentity, let slash = identity.key.firstIndex(of: "/"),
        let whole = ConversationIdentity(platform: identity.platform, key: String(identity.key[..<slash])),
        // A redacted history finds nothing by an identity.
        let owner = try? store.conversation(known: whole)
      {
        owners[id] = owner.id
      }
    }
    guard !owners.isEmpty else { return }
    let wanted = Set(owners.keys).union(owners.values)
    var sessions: [Conversation.ID: SessionAnswer] = [:]
    for session in try store.sessions(where: .conversation(wanted), limit: wanted.count).sessions {
      sessions[session.id] = SessionAnswer(session)
    }
    for (id, owner) in owners {
      guard let session = sessions[id] ?? sessions[owner] else { continue }
      places[id] = Place(
        program: session.program, session: session.session, project: session.project, title: session.title)
    }
  }

  subscript(_ id: Conversation.ID) -> Place { places[id] ?? Place() }
}

/// Reads the messages of a selection in whole, newest first, as far as one answer does.
struct SessionScan {
  let store: SynchronousMessageStore
  let isCancelled: @Sendable () -> Bool
  /// The messages and pages that one answer may still read.
  private var (left, pagesLeft) = (2_000, 64)
  private static let pageCount = 64
  private static let byteLimit = 8 << 20

  init(_ store: SynchronousMessageStore, isCancelled: @escaping @Sendable () -> Bool) {
    (self.store, self.isCancelled) = (store, isCancelled)
  }

  /// Calls `body` with each message until it returns `false`.
  ///
  /// - Returns: The message before which to go on; `nil` if all were read.
  mutating func run(
    _ selection: Selection, before id: Message.ID?, _ body: (MessageRecord) throws(StoreError) -> Bool
  ) throws(StoreError) -> Message.ID? {
    var request = PageRequest(
      selection, order: .newestFirst, anchor: id.map { .before($0) } ?? .newest, fetchLimit: Self.pageCount,
      wantsCounts: false)
    while true {
      if isCancelled() { throw StoreError(.cancelled, "cannot search sessions") }
      let page = try store.records(request, byteLimit: Self.byteLimit, mayPause: true)
      for record in page.records {
        left -= 1
        if try !body(record) { return record.message.id }
      }
      let last = page.records.last.map { PageAnchor.before($0.message.id) }
      guard let next = page.nextAnchor ?? (page.hasOlder ? last : nil) else { return nil }
      pagesLeft -= 1
      if left <= 0 || pagesLeft <= 0, case .before(let id) = next { return id }
      request.anchor = next
    }
  }
}
