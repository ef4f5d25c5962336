internal import MessageModel
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// One client's connection: reads a request, answers it, and is ready for the next one.
///
/// It runs on the thread of its event loop and never blocks; other threads read from disk.
///
/// It is a channel handler rather than a loop over a `NIOAsyncChannel`, whose writer returns as soon as more
/// may be written and does not report when the client has taken the data. That moment ends the deadline of a
/// piece, starts that of the next request, returns bytes to the budget shared by all clients, and allows a
/// refused client to be disconnected.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let core: ServerCore
  private var head: HTTPRequestHead?
  /// Set when the answer is no longer wanted.
  private var isGone: Flag?
  private var deadline: Scheduled<Void>?
  private var comment: Scheduled<Void>?
  private var listenerNumber: Int?
  /// The bytes of answers that the client has not taken yet.
  private var unsentByteCount = 0
  /// Whether the last answer was sent; further input is ignored.
  private var isParting = false

  final class Flag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isRaised: Bool { flag.load(ordering: .relaxed) }
    func raise() { flag.store(true, ordering: .relaxed) }
  }

  init(_ core: ServerCore) { self.core = core }

  func channelActive(context: ChannelHandlerContext) { awaitRequest(context) }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    comment?.cancel()
    isGone?.raise()
    if let listenerNumber { core.feed.leave(listenerNumber) }
    listenerNumber = nil
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isParting else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      // Bodies are refused at once, without reading them.
      if RequestGate.hasBody(head.headers) { answer(head, context) }
    case .body: break
    case .end: if let head { answer(head, context) }
    }
  }

  /// Refuses input that is not HTTP, or too long.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isParting, let error = error as? HTTPParserError else {
      if !isParting { context.close(promise: nil) }
      return
    }
    let isTooLong = error == .headerOverflow
    let refusal = RequestRefusal(
      isTooLong ? .requestHeaderFieldsTooLarge : .badRequest,
      StoreError(
        .invalidRequest, "cannot read the request",
        cause: isTooLong ? "its head is too long" : "it is not an HTTP/1.1 request"))
    part(with: refusal, context)
  }

  private func awaitRequest(_ context: ChannelHandlerContext) {
    setDeadline(core.limits.idleTime, context)
  }

  /// Closes the connection after a time, unless this is called again or the deadline is cancelled.
  private func setDeadline(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }

  // MARK: Answering

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    do throws(RequestRefusal) {
      let rest = try core.gate.check(head, port: context.localAddress?.port ?? 0)
      core.trust(context.channel)
      switch try core.task(for: rest, head.headers, isWritten: head.method == .POST) {
      case .answer(let answer): send(answer, context)
      case .question(let question):
        let isGone = Flag()
        self.isGone = isGone
        let answer = core.answer(question, head.headers, on: context.eventLoop) { isGone.isRaised }
        send(answer, context)
      case .document(let question):
        let isGone = Flag()
        self.isGone = isGone
        send(core.document(of: question, on: context.eventLoop) { isGone.isRaised }, context)
      case .attachment(let id, let index, let form):
        send(core.answer(id, index, form, head.headers, on: context.eventLoop), context)
      case .listen(let version): listen(since: version, context)
      case .find: send(core.found(on: context.eventLoop), context)
      case .write(let change): send(core.answer(change, on: context.eventLoop), context)
      }
    } catch {
      if RequestGate.hasBody(head.headers) {
        part(with: error, context)
      } else {
        send(ServerAnswer(error, asPage: Self.isOpened(head)), context)
      }
    }
  }

  /// Whether the answer is shown as a page: browsers say so in a header.
  private static func isOpened(_ head: HTTPRequestHead) -> Bool {
    head.headers["Sec-Fetch-Dest"] == ["document"]
  }

  private func send(_ answer: EventLoopFuture<ServerAnswer>, _ context: ChannelHandlerContext) {
    answer.assumeIsolated().whenComplete { result in
      switch result {
      case .success(let answer): self.send(answer, context)
      // The server is stopping.
      case .failure: context.close(promise: nil)
      }
    }
  }

  private func send(_ answer: ServerAnswer, _ context: ChannelHandlerContext) {
    guard context.channel.isActive, let head else { return }
    let hasBody = head.method != .HEAD && answer.byteCount > 0
    guard case .bytes(let bytes) = answer.body, hasBody else {
      write(answer, context)
      if hasBody, case .content(let part) = answer.body {
        context.flush()
        sendPieces(of: part, context)
      } else {
        finish(context)
      }
      return
    }
    guard core.hold(bytes.count, isOnly: unsentByteCount == 0) else {
      // A client that asks on without reading would fill the memory with refusals.
      guard unsentByteCount == 0 else { return context.close(promise: nil) }
      return send(ServerAnswer(RequestRefusal.tooMany("answers wait to be taken")), context)
    }
    unsentByteCount += bytes.count
    write(answer, context)
    write(bytes, context).assumeIsolated().whenComplete { _ in
      self.unsentByteCount -= bytes.count
      self.core.release(bytes.count)
    }
    finish(context)
  }

  private func write(_ answer: ServerAnswer, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders(answer.fields + ServerAnswer.usualFields)
    if answer.status != .notModified { headers.add(name: "Content-Length", value: "\(answer.byteCount)") }
    if head?.isKeepAlive != true || isParting { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
    context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: bytes)))))
  }

  /// Sends a content piece by piece, each after the client took the one before.
  private func sendPieces(of part: ContentPart, _ context: ChannelHandlerContext) {
    guard !part.range.isEmpty else { return finish(context) }
    core.piece(of: part, on: context.eventLoop).assumeIsolated().whenComplete { result in
      guard case .success(let (piece, rest)) = result, context.channel.isActive else {
        // The length was announced already; the connection can only be closed.
        context.close(promise: nil)
        return
      }
      self.setDeadline(self.core.limits.writingTime, context)
      self.write(piece, context).assumeIsolated().whenSuccess { self.sendPieces(of: rest, context) }
      context.flush()
    }
  }

  private func finish(_ context: ChannelHandlerContext) {
    setDeadline(core.limits.writingTime, context)
    isParting = isParting || head?.isKeepAlive != true
    // The next request may already be buffered and handled before this returns.
    head = nil
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenSuccess {
      if self.isParting { self.close(context) } else if self.head == nil { self.awaitRequest(context) }
    }
  }

  // MARK: Disconnecting

  /// Refuses input after which the connection cannot continue, and closes it.
  private func part(with refusal: RequestRefusal, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    isParting = true
    head = head ?? HTTPRequestHead(version: .http1_1, method: .GET, uri: "")
    send(ServerAnswer(refusal), context)
  }

  /// Closes after the client had time to read: closing while it still sends would discard the answer.
  private func close(_ context: ChannelHandlerContext) {
    context.close(mode: .output, promise: nil)
    setDeadline(core.limits.partingTime, context)
  }

  // MARK: Changes

  private func listen(since version: SourceVersion?, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((connection: self, context: context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    core.feed.listen(since: version, maxCount: core.limits.listenerCount) { event in
      loop.execute { bound.value.connection.tell(event, bound.value.context) }
    } begun: { result in
      loop.execute {
        let (connection, context) = bound.value
        switch result {
        case .success(let (number, events)): connection.beginEvents(number, events, context)
        case .failure(let refusal): connection.send(ServerAnswer(refusal), context)
        }
      }
    }
  }

  private func beginEvents(_ number: Int, _ events: [UInt8], _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return core.feed.leave(number) }
    listenerNumber = number
    let most = core.limits.eventByteCount
    try? context.channel.syncOptions?.setOption(
      .writeBufferWaterMark, value: .init(low: min(most, 32 << 10), high: most))
    var headers = HTTPHeaders(ServerAnswer.usualFields)
    headers.add(name: "Content-Type", value: "text/event-stream; charset=utf-8")
    headers.add(name: "Content-Security-Policy", value: ServerAnswer.policyOfNothing)
    headers.add(name: "Cache-Control", value: "no-store")
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil
    )
    guard head?.method != .HEAD else { return finish(context) }
    tell(events, context)
    scheduleComment(context)
  }

  /// Sends comments at intervals, so that both sides notice a lost connection.
  private func scheduleComment(_ context: ChannelHandlerContext) {
    let loop = context.eventLoop.assumeIsolated()
    comment = loop.scheduleTask(in: core.limits.commentTime) {
      self.tell(Array(": still here\n\n".utf8), context)
      self.scheduleComment(context)
    }
  }

  /// Sends an event, or disconnects a client that reads too slowly.
  private func tell(_ event: [UInt8], _ context: ChannelHandlerContext) {
    guard listenerNumber != nil, context.channel.isActive else { return }
    guard context.channel.isWritable else { return context.close(promise: nil) }
    _ = write(event, context)
    context.flush()
  }
}
