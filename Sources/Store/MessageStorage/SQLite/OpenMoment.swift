internal import GRDB
package import MessageModel

final class OpenMoment {
  let store: SynchronousMessageStore
  let db: Database

  private init(_ store: SynchronousMessageStore, _ db: Database) { (self.store, self.db) = (store, db) }

  static var current: OpenMoment? { ofThread.current }

  private static let ofThread = ThreadValue<OpenMoment>()

  fileprivate static func whileOpen<Value>(
    _ store: SynchronousMessageStore, _ db: Database, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value { try ofThread.with(OpenMoment(store, db), body) }
}

extension SynchronousMessageStore {
  /// Runs `body`, whose reads on this thread share one transaction and see one state of the store.
  ///
  /// Keep it short: the store's log cannot be emptied meanwhile.
  package func atOneMoment<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    // Each page of an archive has a state of its own.
    if archive != nil { return try body() }
    return try reading("cannot read '\(path)'") { db in
      try OpenMoment.whileOpen(self, db, body)
    }
  }
}
