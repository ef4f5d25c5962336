package import NIOCore

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
