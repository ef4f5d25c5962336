internal import Dispatch
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// The state shared by all connections of a server.
final class ServerCore: Sendable {
  let limits: ServerLimits
  let gate: RequestGate
  let served: ServedStore
  let feed: ChangeFeed
  let attachments: AttachmentAnswers
  private let writes: PageWrites?
  private let finder: HistoryServer.Finder?
  private let questions: QuestionAnswers
  private let documents: DocumentAnswers
  private let readers: NIOThreadPool
  private let searchers: NIOThreadPool
  private let exporters: NIOThreadPool
  private let painters: NIOThreadPool
  private let state = Mutex(State())
  private let page = PageAnswers.shared

  private struct State {
    var clients: [ObjectIdentifier: Client] = [:]
    var clientCount = 0
    var waitingByteCount = 0
    var searchCount = 0
    var exportCount = 0

    /// The oldest connection that has not shown the key.
    var oldestStranger: (any Channel)? {
      clients.values.filter(\.isStranger).min { $0.number < $1.number }?.channel
    }
  }

  private struct Client {
    let channel: any Channel
    let number: Int
    var isStranger = true
  }

  init(
    _ served: ServedStore, gate: RequestGate, limits: ServerLimits, me: String?, maker: (any PictureMaker)?,
    writes: PageWrites? = nil, finder: HistoryServer.Finder? = nil
  ) {
    (self.served, self.gate, self.limits, self.writes) = (served, gate, limits, writes)
    self.finder = finder
    feed = ChangeFeed(served, maxCount: limits.changeCount, pageTag: page.tag)
    attachments = AttachmentAnswers(served: served, maker: maker)
    questions = QuestionAnswers(served: served, me: me, foundCount: limits.foundCount)
    documents = DocumentAnswers(served: served, me: me)
    readers = NIOThreadPool(numberOfThreads: limits.readerCount)
    searchers = NIOThreadPool(numberOfThreads: limits.searcherCount)
    exporters = NIOThreadPool(numberOfThreads: 1)
    painters = NIOThreadPool(numberOfThreads: 1)
  }

  /// The store's connections: one for each thread that reads, and one for changes.
  static func connectionCount(_ limits: ServerLimits) -> Int { limits.readerCount + limits.searcherCount + 3 }

  func start() {
    for pool in [readers, searchers, exporters, painters] { pool.start() }
    feed.start()
  }

  func stop() {
    feed.stop()
    for channel in state.withLock({ $0.clients.values.map(\.channel) }) { channel.close(promise: nil) }
    for pool in [readers, searchers, exporters, painters] { pool.shutdownGracefully { _ in } }
    served.close()
  }

  /// Admits a connection. If there are too many, the oldest that has not shown the key is closed: opening
  /// connections alone keeps no one out.
  func admit(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    let (isAdmitted, stranger) = state.withLock { state -> (Bool, (any Channel)?) in
      var stranger: (any Channel)?
      if state.clients.count >= limits.connectionCount {
        stranger = state.oldestStranger
        guard let stranger else { return (false, nil) }
        state.clients[ObjectIdentifier(stranger)] = nil
      }
      state.clientCount += 1
      state.clients[id] = Client(channel: channel, number: state.clientCount)
      return (true, stranger)
    }
    stranger?.close(promise: nil)
    guard isAdmitted else { return false }
    channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.clients[id] = nil } }
    return true
  }

  func trust(_ channel: any Channel) {
    state.withLock { $0.clients[ObjectIdentifier(channel)]?.isStranger = false }
  }

  var channelCount: Int { state.withLock { $0.clients.count } }

  var searchCount: Int { state.withLock { $0.searchCount } }

  var exportCount: Int { state.withLock { $0.exportCount } }

  /// Reserves bytes for an unsent answer; `false` beyond the limit.
  ///
  /// - Parameter isOnly: Whether the client has taken all earlier answers: then a small one is never refused, however
  ///   much others leave unread.
  func hold(_ byteCount: Int, isOnly: Bool) -> Bool {
    state.withLock { state in
      guard
        state.waitingByteCount == 0 || state.waitingByteCount + byteCount <= limits.waitingByteCount
          || isOnly && byteCount <= limits.waitingByteCount / limits.connectionCount
      else {
        return false
      }
      state.waitingByteCount += byteCount
      return true
    }
  }

  func release(_ byteCount: Int) { state.withLock { $0.waitingByteCount -= byteCount } }

  enum Task: Sendable {
    case answer(ServerAnswer)
    case question(any ServedQuestion)
    case document(PageQuestion)
    case attachment(Message.ID, index: Int, ServerRoute.AttachmentForm)
    case listen(since: SourceVersion?)
    case find
    case write(PageWrites.Change)
  }

  /// Returns the work for an admitted request; `rest` is its address behind the key, and `isWritten` means
  /// POST.
  func task(
    for rest: Substring, _ headers: HTTPHeaders, isWritten: Bool = false
  ) throws(RequestRefusal) -> Task {
    let path = rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let query = Substring(rest.utf8.dropFirst(path.count + 1).prefix { $0 != UInt8(ascii: "#") })
    guard let route = ServerRoute(path: Substring(path)) else { throw .unknownPath }
    try check(route, isWritten: isWritten)
    switch route {
    case .bareKey:
      return .answer(
        ServerAnswer(
          status: .permanentRedirect, fields: [("Location", "/\(gate.key.text)/")], body: .bytes([])))
    case .page, .styleSheet, .script, .part, .icon:
      guard let answer = page.answer(route, headers) else { throw .unknownPath }
      return .answer(answer)
    case .attachment(let id, let index, let form): return .attachment(id, index: index, form)
    case .question(let word):
      guard let question = HistoryQuestions.named(word) else { throw .unknownPath }
      do throws(StoreError) {
        return .question(try question.init(try QuestionParameters(query: query)))
      } catch {
        throw RequestRefusal(error)
      }
    case .document:
      do throws(StoreError) {
        return .document(try PageQuestion(try QuestionParameters(query: query)))
      } catch {
        throw RequestRefusal(error)
      }
    case .found: return .find
    case .changes, .write:
      do throws(StoreError) {
        return try task(route, try QuestionParameters(query: query), headers)
      } catch {
        throw RequestRefusal(error)
      }
    }
  }

  private var permissions: Set<PagePermission> { writes?.permissions ?? [] }

  /// What is written is posted, and nothing else; what may not be written is not there.
  private func check(_ route: ServerRoute, isWritten: Bool) throws(RequestRefusal) {
    switch route {
    case .write(let permission):
      guard permissions.contains(permission) else { throw .unknownPath }
      guard isWritten else { throw .otherMethod }
    case .bareKey, .page, .styleSheet, .script, .part, .icon, .question, .document, .changes, .found,
      .attachment:
      guard !isWritten else { throw .otherMethod }
    }
  }

  private func task(
    _ route: ServerRoute, _ parameters: consuming QuestionParameters, _ headers: HTTPHeaders
  ) throws(StoreError) -> Task {
    if case .write(let permission) = route {
      return .write(try PageWrites.Change(permission, parameters))
    }
    var given = parameters
    let since = try given.text("since")
    try given.checkAllKnown()
    // Browsers send this when they reconnect: it is newer than the version in the address.
    guard let text = headers.first(name: "Last-Event-ID") ?? since else { return .listen(since: nil) }
    guard let version = SourceVersion(text) else {
      throw QuestionParameters.error("'since' is not a version of this server")
    }
    return .listen(since: version)
  }

  func answer(
    _ question: any ServedQuestion, _ headers: HTTPHeaders, on loop: any EventLoop,
    isCancelled: @escaping @Sendable () -> Bool
  ) -> EventLoopFuture<ServerAnswer> {
    let answer = { @Sendable [self] in
      var answer = Self.answer { () throws(StoreError) in
        try questions.answer(question, headers, isCancelled: isCancelled)
      }
      // Lets a page reject answers of another store than the one it shows.
      if let identity = served.identity { answer.fields.append(("Scrollback-Store", identity)) }
      if !permissions.isEmpty {
        let names = permissions.map(\.rawValue).sorted().joined(separator: ", ")
        answer.fields.append(("Scrollback-Writes", names))
      }
      return answer
    }
    if question.isSearch { return search(on: loop, answer) }
    let isLong = (question as? PageQuestion)?.limit ?? 0 > Self.longPage
    return isLong ? export(on: loop, answer) : readers.runIfActive(eventLoop: loop, answer)
  }

  /// A page of more messages is answered like a document, so that shorter ones need not wait for it.
  private static let longPage = 500

  private func search(
    on loop: any EventLoop, _ answer: @escaping @Sendable () -> ServerAnswer
  ) -> EventLoopFuture<ServerAnswer> {
    searchers.runIfActive(eventLoop: loop) { [self] in
      state.withLock { $0.searchCount += 1 }
      defer { state.withLock { $0.searchCount -= 1 } }
      return answer()
    }
  }

  /// Answers on a thread of its own, one after the other.
  private func export(
    on loop: any EventLoop, _ answer: @escaping @Sendable () -> ServerAnswer
  ) -> EventLoopFuture<ServerAnswer> {
    state.withLock { $0.exportCount += 1 }
    return exporters.runIfActive(eventLoop: loop) { [self] in
      defer { state.withLock { $0.exportCount -= 1 } }
      return answer()
    }
  }

  /// Answers a page as one document.
  func document(
    of question: PageQuestion, on loop: any EventLoop, isCancelled: @escaping @Sendable () -> Bool
  ) -> EventLoopFuture<ServerAnswer> {
    export(on: loop) { [served, documents] in
      var answer = Self.answer { () throws(StoreError) in
        try documents.answer(question, isCancelled: isCancelled)
      }
      if let identity = served.identity { answer.fields.append(("Scrollback-Store", identity)) }
      return answer
    }
  }

  func answer(_ change: PageWrites.Change, on loop: any EventLoop) -> EventLoopFuture<ServerAnswer> {
    readers.runIfActive(eventLoop: loop) { [writes] in
      Self.answer { () throws(StoreError) in
        guard let writes else { return ServerAnswer(.unknownPath) }
        return try writes.write(change)
      }
    }
  }

  /// Answers what can be imported here. A store with messages has answered that by itself.
  func found(on loop: any EventLoop) -> EventLoopFuture<ServerAnswer> {
    readers.runIfActive(eventLoop: loop) { [served, finder] in
      Self.answer { () throws(StoreError) in
        let isEmpty = try served.readingShown { store throws(StoreError) in
          try store.original.conversations().isEmpty
        }
        guard isEmpty, let found = finder?() else { return ServerAnswer(.unknownPath) }
        return .bytes(found, type: ServerAnswer.jsonType, tag: nil)
      }
    }
  }

  func answer(
    _ id: Message.ID, _ index: Int, _ form: ServerRoute.AttachmentForm, _ headers: HTTPHeaders,
    on loop: any EventLoop
  ) -> EventLoopFuture<ServerAnswer> {
    (form == .original ? readers : painters).runIfActive(eventLoop: loop) { [self] in
      Self.answer { () throws(StoreError) in try attachments.answer(id, index, form, headers) }
    }
  }

  func piece(of part: ContentPart, on loop: any EventLoop) -> EventLoopFuture<([UInt8], ContentPart)> {
    readers.runIfActive(eventLoop: loop) { [self] in
      var part = part
      let piece = try part.next(byteCount: limits.pieceByteCount, of: served)
      return (piece, part)
    }
  }

  private static func answer(_ body: () throws(StoreError) -> ServerAnswer) -> ServerAnswer {
    do throws(StoreError) {
      return try body()
    } catch {
      return ServerAnswer(RequestRefusal(error))
    }
  }
}

/// Runs tasks on a queue, whose thread may wait for the disk.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
