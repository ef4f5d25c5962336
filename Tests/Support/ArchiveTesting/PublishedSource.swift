internal import Foundation
internal import HistoryPublishing
package import MessageModel
package import MessagePostgres
internal import MessageSourceTesting
package import TestSupport

/// A store that is published after each change, as a source that is read from the archive: what a reader of it sees, checked as
/// any other source.
///
/// All of them share a database, each under a name of its own.
package final class PublishedSource: MutableMessageSource, SynchronousMessageSource, @unchecked Sendable {
  /// The store that is written to.
  package let source: StoreSource
  /// The archive that is read.
  package let archive: PostgresArchive
  private let publisher: Publisher
  // One thread at a time publishes.
  private let lock = NSLock()

  private static let database: Result<String, any Error> = Result {
    try PostgresServer.shared.get().makeDatabase()
  }

  /// Makes an empty store and publishes it.
  package init() throws {
    source = try StoreSource()
    let (server, database) = (try PostgresServer.shared.get(), try Self.database.get())
    let name = UUID().uuidString
    publisher = try Publisher(
      source.store, Publisher.Settings(address: server.address(database), name: name))
    _ = try publisher.publish()
    var options = PostgresOptions()
    options.connectionLimit = 1
    archive = try PostgresArchive(server.address(database, more: "&store=\(name)"), options: options)
  }

  private func publishing<Answer>(
    _ change: () throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    lock.lock()
    defer { lock.unlock() }
    let answer = try change()
    _ = try publisher.publish()
    return answer
  }

  package func page(_ request: PageRequest) throws(StoreError) -> Page { try archive.read(request) }
  package func changes() -> AsyncStream<Void> { archive.changes() }

  package func makeConversation(named name: String) throws(StoreError) -> Conversation.ID {
    try publishing { () throws(StoreError) in try source.makeConversation(named: name) }
  }

  package func append(_ text: String, to conversation: Conversation.ID) throws(StoreError) -> Message.ID {
    try publishing { () throws(StoreError) in try source.append(text, to: conversation) }
  }

  package func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try publishing { () throws(StoreError) in try source.insert(text, at: time, in: conversation) }
  }

  package func delete(_ ids: [Message.ID]) throws(StoreError) {
    try publishing { () throws(StoreError) in try source.delete(ids) }
  }

  package func edit(_ id: Message.ID, text: String) throws(StoreError) {
    try publishing { () throws(StoreError) in try source.edit(id, text: text) }
  }
}
