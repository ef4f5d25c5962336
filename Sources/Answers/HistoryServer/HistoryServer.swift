internal import Foundation
package import HistoryModel
internal import HistoryPublishing
package import MessageModel
internal import MessageStorage
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import Redaction
internal import Synchronization

/// An HTTP server for one store, on the loopback address only. It reads; it writes at most what the page may, if
/// asked to (docs/serve.md).
///
/// The ``url`` cannot be guessed and gives access to the whole store.
package final class HistoryServer: Sendable {
  package let port: Int
  /// The key that every path begins with.
  package let key: AccessKey
  private let core: ServerCore
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  private let isStopped = Atomic<Bool>(false)

  package var url: String { "http://127.0.0.1:\(port)/\(key.text)/" }

  package typealias Finder = @Sendable () -> [UInt8]?

  /// Opens the store and listens.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for a free one.
  ///   - me: The name of the history's owner, as for `QuestionAnswerer`.
  ///   - maker: Makes small pictures that the store does not have; `nil` for none.
  ///   - limits: The limits for clients.
  ///   - key: The key that every path begins with; `nil` for a new one.
  ///   - redactor: Redacts answers; `nil` for none.
  ///   - permissions: What the page may write; nothing else is ever written.
  ///   - finder: Returns the JSON of what can be imported here, for a page without messages; `nil` for nothing.
  ///   - path: The path of the store, or the address of an archive on a server.
  /// - Throws: ``StoreError`` as opening a store does, and of kind `cannotCreate` if it cannot listen at the
  ///   port.
  package init(
    port: Int = 0, me: String? = nil, maker: (any PictureMaker)? = nil, limits: ServerLimits = ServerLimits(),
    key: AccessKey = AccessKey(), redactor: Redactor? = nil, permissions: Set<PagePermission> = [],
    finder: Finder? = nil, path: String
  ) throws(StoreError) {
    if !permissions.isEmpty { try PageWrites.check(path) }
    let options = StoreOptions(
      access: .readOnly, readerCount: ServerCore.connectionCount(limits))
    let served = try ServedStore(redactor: redactor) { () throws(StoreError) in
      try SynchronousMessageStore.opened(at: path, options: options)
    }
    let core = ServerCore(
      served, gate: RequestGate(key: key, takesWrites: !permissions.isEmpty), limits: limits, me: me,
      maker: maker,
      writes: PageWrites(path: path, served: served, permissions: permissions), finder: finder)
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      channel = try Self.bootstrap(group, core).bind(host: "127.0.0.1", port: port).wait()
    } catch {
      core.stop()
      group.shutdownGracefully { _ in }
      throw StoreError(
        .cannotCreate, "cannot listen at port \(port)",
        cause: (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)",
        remedy: "--port 0 chooses a free one")
    }
    self.port = channel.localAddress?.port ?? port
    (self.key, self.core) = (key, core)
    core.start()
  }

  /// Disconnects all clients, and closes the port and the store. Later calls do nothing.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    try? channel.close().wait()
    core.stop()
    try? group.syncShutdownGracefully()
  }

  /// The number of times that changes were read from the store, for all listeners together.
  package var changeReadCount: Int { core.feed.readCount }

  package var connectionCount: Int { core.channelCount }

  /// The number of running searches.
  package var searchCount: Int { core.searchCount }

  /// The number of documents and long pages that wait or are read.
  package var exportCount: Int { core.exportCount }

  /// The number of clients that receive changes.
  package var listenerCount: Int { core.feed.listenerCount }

  private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ core: ServerCore) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Sends the second part of an answer without waiting for the acknowledgement of the first.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try begin(channel, core) }
      }
    guard let byteCount = core.limits.sendBufferByteCount else { return bootstrap }
    return bootstrap.childChannelOption(
      .socketOption(.so_sndbuf), value: SocketOptionValue(byteCount))
  }

  private static func begin(_ channel: any Channel, _ core: ServerCore) throws {
    let pipeline = channel.pipeline.syncOperations
    guard core.admit(channel) else { return try pipeline.addHandler(TurnAway()) }
    var bounds = NIOHTTPDecoderLimitConfiguration()
    bounds.maxHeaderFieldSize = core.limits.fieldByteCount
    bounds.maxHeaderListSize = core.limits.headByteCount
    bounds.maxHeaderFieldCount = core.limits.fieldCount
    try pipeline.configureHTTPServerPipeline(
      withErrorHandling: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: bounds)
    try pipeline.addHandler(Connection(core))
  }
}

/// Refuses connections beyond the limit.
private final class TurnAway: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    let answer = ServerAnswer(RequestRefusal.tooMany("connections"))
    guard case .bytes(let bytes) = answer.body else { return context.close(promise: nil) }
    let fields = (answer.fields + ServerAnswer.usualFields).map { "\($0): \($1)\r\n" }.joined()
    var buffer = context.channel.allocator.buffer(capacity: fields.utf8.count + bytes.count + 128)
    buffer.writeString("HTTP/1.1 503 Service Unavailable\r\n\(fields)")
    buffer.writeString("Content-Length: \(bytes.count)\r\nConnection: close\r\n\r\n")
    buffer.writeBytes(bytes)
    context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}

/// The server's limits, so that no client can block others or fill the memory.
package struct ServerLimits: Sendable {
  package var connectionCount = 512
  /// The most of them that receive changes.
  package var listenerCount = 64
  /// The most bytes of a header field or of the address.
  package var fieldByteCount = 32 << 10
  /// The most bytes of all header fields.
  package var headByteCount = 64 << 10
  package var fieldCount = 100
  /// The time for a whole request to arrive, from the opening of the connection or the answer before.
  package var idleTime = TimeAmount.seconds(30)
  /// The time for a client to take a piece of an answer.
  package var writingTime = TimeAmount.seconds(30)
  /// The time for a refused client to read the reason.
  package var partingTime = TimeAmount.seconds(2)
  /// The interval of comments, which keep connections for changes alive.
  package var commentTime = TimeAmount.seconds(15)
  /// The most bytes of unsent answers, of all clients together; beyond it a client gets at most its share.
  package var waitingByteCount = 64 << 20
  /// The most bytes of unsent events of one client; a slower reader is disconnected.
  package var eventByteCount = 256 << 10
  /// The bytes of an attachment that are read at once.
  package var pieceByteCount = 256 << 10
  /// The most messages that an event names.
  package var changeCount = 1_000
  /// The most messages of an answer to a search, including those around the hits.
  package var foundCount = 2_000
  /// The send buffer of each client in bytes; `nil` for the system's default.
  package var sendBufferByteCount: Int?
  /// The threads for reading, except searches and what is exported.
  package var readerCount = 2
  /// The threads for searches.
  package var searcherCount = 2

  package init() {}
}
