internal import GRDB
package import MessageModel

/// The transaction in which a thread reads all that it reads of a store for now.
///
/// It belongs to one thread as its connection does, and is never handed on to another.
final class OpenMoment {
  let store: SynchronousMessageStore
  let db: Database

  private init(_ store: SynchronousMessageStore, _ db: Database) { (self.store, self.db) = (store, db) }

  /// That of this thread.
  static var current: OpenMoment? { ofThread.current }

  private static let ofThread = ThreadValue<OpenMoment>()

  fileprivate static func whileOpen<Value>(
    _ store: SynchronousMessageStore, _ db: Database, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value { try ofThread.with(OpenMoment(store, db), body) }
}

extension SynchronousMessageStore {
  /// Does something on this thread for which the store stands still: all that is read of it meanwhile is read in one
  /// transaction, and is of one moment.
  ///
  /// It is for what is short: while it lasts, the log of the store cannot be emptied.
  ///
  /// - Throws: What `body` throws, and ``StoreError`` as reading does.
  package func atOneMoment<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    // Each page of an archive is of one moment by itself.
    if archive != nil { return try body() }
    return try reading("cannot read '\(path)'") { db in
      try OpenMoment.whileOpen(self, db, body)
    }
  }
}
