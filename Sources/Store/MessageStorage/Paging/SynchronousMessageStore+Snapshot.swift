internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the present state of the store as a separate source, which later writes do not change.
  ///
  /// While it exists, the log beside the file grows with all writes (see ``logByteCount``), so release it
  /// soon.
  package func snapshot() throws(StoreError) -> StoreSnapshot {
    try source.checkReadable { "cannot take a snapshot of '\(path)'" }
    guard let pool = database as? DatabasePool else {
      throw StoreError(.inputOutput, "cannot take a snapshot of '\(path)'")
    }
    do {
      return try gate.whileOpen {
        let snapshot = StoreSnapshot(try pool.makeSnapshot(), names: senderNames, path: path)
        snapshots.add(snapshot)
        return snapshot
      }
    } catch {
      throw StoreError(error, doing: "cannot take a snapshot of '\(path)'")
    }
  }

  /// The size of the log (`-wal`) in bytes, 0 if there is none.
  package var logByteCount: Int { file.logByteCount }
}

/// A state of a store, as a source that never changes.
package final class StoreSnapshot: SynchronousMessageSource {
  private let database: DatabaseSnapshot
  let names: SenderNames
  private let path: String
  private let gate = StoreGate()

  init(_ database: DatabaseSnapshot, names: SenderNames, path: String) {
    self.database = database
    self.names = names
    self.path = path
  }

  /// Returns the messages that `request` asks for, as they were when the snapshot was taken.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset or a wrong expression.
  package func page(_ request: MessageModel.PageRequest) throws(StoreError) -> Page {
    try reading("cannot read messages") { db in try Fetch(request, in: db, names: names).page() }
  }

  func reading<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    let isCancelled = SynchronousMessageStore.isCancelled ?? { false }
    do {
      return try gate.whileOpen {
        try database.read { db in try Cancellation(isCancelled).whileWatching(db) { try body(db) } }
      }
    } catch {
      throw StoreError(error, doing: "\(doing) from a snapshot of '\(path)'")
    }
  }

  /// Releases the file. Reads in progress are interrupted, and later ones fail.
  func end() {
    gate.suspend(after: .milliseconds(0), interrupt: { database.interrupt() }, { try? database.close() })
    gate.close {}
  }

  /// Returns a stream that ends after its first element: a snapshot does not change.
  package func changes() -> AsyncStream<Void> {
    AsyncStream { changes in
      changes.yield()
      changes.finish()
    }
  }
}
