internal import Foundation
internal import HistoryPublishing
package import MessageModel
internal import MessageStorage
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import Redaction
internal import Synchronization

/// A server of HTTP for one store, on the loopback address alone, which reads and, unless somebody wishes
/// that it writes down how far was read, never writes (docs/serve.md).
///
/// Whoever has its ``url``, which nobody can guess, may read the whole store.
package final class HistoryServer: Sendable {
  /// The port that it listens at.
  package let port: Int
  /// The key that every path begins with.
  package let key: AccessKey
  private let core: ServerCore
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  private let isStopped = Atomic<Bool>(false)

  /// The address of the page.
  package var url: String { "http://127.0.0.1:\(port)/\(key.text)/" }

  /// Opens the store and listens.
  ///
  /// - Parameters:
  ///   - port: Where to listen; 0 for a port that is free.
  ///   - me: A name of whoever's history it is, as for `QuestionAnswerer`.
  ///   - maker: Makes small pictures where the store has none; `nil` if nobody can.
  ///   - limits: What it takes and gives at most.
  ///   - key: What every path begins with: one of its own unless somebody brings theirs.
  ///   - redactor: What takes out of answers what is not for others; `nil` for nothing.
  ///   - marksRead: Whether what is read in the page counts as read: nothing else is ever written.
  ///   - path: The path of the store, and of whatever takes its place; or the address of an archive on a server.
  /// - Throws: ``StoreError`` as opening a store does, and of kind `cannotCreate` if it cannot listen at the port.
  package init(
    port: Int = 0, me: String? = nil, maker: (any PictureMaker)? = nil, limits: ServerLimits = ServerLimits(),
    key: AccessKey = AccessKey(), redactor: Redactor? = nil, marksRead: Bool = false, path: String
  ) throws(StoreError) {
    if marksRead { try ReadMarks.check(path) }
    let options = StoreOptions(
      access: .readOnly, readerCount: ServerCore.connectionCount(limits))
    let served = try ServedStore(redactor: redactor) { () throws(StoreError) in
      try SynchronousMessageStore.opened(at: path, options: options)
    }
    let core = ServerCore(
      served, gate: RequestGate(key: key, takesMarks: marksRead), limits: limits, me: me, maker: maker,
      marks: marksRead ? ReadMarks(path: path, served: served) : nil)
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      channel = try Self.bootstrap(group, core).bind(host: "127.0.0.1", port: port).wait()
    } catch {
      core.stop()
      group.shutdownGracefully { _ in }
      throw StoreError(
        .cannotCreate, "cannot listen at port \(port)",
        cause: (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)",
        remedy: "--port 0 takes one that is free")
    }
    self.port = channel.localAddress?.port ?? port
    (self.key, self.core) = (key, core)
    core.start()
  }

  /// Lets go of all clients, of the port and of the store, once.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    try? channel.close().wait()
    core.stop()
    try? group.syncShutdownGracefully()
  }

  /// The number of times that changes were read from the store, for all who hear of them.
  package var changeReadCount: Int { core.feed.readCount }

  /// The number of connections.
  package var connectionCount: Int { core.channelCount }

  /// The number of searches under way.
  package var searchCount: Int { core.searchCount }

  /// The number of those who hear of changes.
  package var listenerCount: Int { core.feed.listenerCount }

  private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ core: ServerCore) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // An answer is not to wait for the receipt of its first part.
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

/// Sends away who comes when there are too many.
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

/// The limits of what a server takes and gives, so that no client can hold up the others or fill its memory.
package struct ServerLimits: Sendable {
  /// The most connections at once.
  package var connectionCount = 256
  /// The most of them that hear of changes.
  package var listenerCount = 64
  /// The most bytes of one field of a request's head, its address among them.
  package var fieldByteCount = 32 << 10
  /// The most bytes of all fields.
  package var headByteCount = 64 << 10
  /// The most fields.
  package var fieldCount = 100
  /// The time until a request is there whole, from the opening of the connection or the answer before.
  package var idleTime = TimeAmount.seconds(30)
  /// The time in which a client takes a piece of an answer.
  package var writingTime = TimeAmount.seconds(30)
  /// The time that a client who is refused has to read why.
  package var partingTime = TimeAmount.seconds(2)
  /// The time after which somebody who hears of changes is told that the server is still there.
  package var commentTime = TimeAmount.seconds(15)
  /// The most bytes of answers that wait to be taken, of all clients together.
  package var waitingByteCount = 64 << 20
  /// The most bytes of events that wait for one client: who reads no faster than they come is let go.
  package var eventByteCount = 256 << 10
  /// The bytes of an attachment that are read at once.
  package var pieceByteCount = 256 << 10
  /// The most messages that a notice of changes names.
  package var changeCount = 1_000
  /// The most messages of an answer to a search, those around the hits among them.
  package var foundCount = 2_000
  /// The bytes that the system keeps for each client; `nil` as it likes.
  package var sendBufferByteCount: Int?
  /// The threads that read, but for searches.
  package var readerCount = 2
  /// The threads that search.
  package var searcherCount = 2

  /// Creates the limits of a server as people start it.
  package init() {}
}
