internal import Foundation
internal import GRDB
internal import MessageModel

/// A transaction of a store on a thread: all that this thread reads and writes of the store belongs to it.
final class OpenTransaction {
  let store: SynchronousMessageStore
  let db: Database
  /// Its unfinished writes; `nil` if it only reads.
  let draft: Draft?
  /// The transaction of another store on the same thread.
  private let outer: OpenTransaction?

  private static let ofThread = ThreadValue<OpenTransaction>()

  private init(of store: SynchronousMessageStore, _ db: Database, _ draft: Draft?) {
    (self.store, self.db, self.draft, outer) = (store, db, draft, OpenTransaction.ofThread.current)
  }

  static func current(of store: SynchronousMessageStore) -> OpenTransaction? {
    innermost { $0.store === store }
  }

  /// Returns the transaction in which this thread writes to a store, if any.
  static func writing(where isWanted: (SynchronousMessageStore) -> Bool) -> OpenTransaction? {
    innermost { $0.draft != nil && isWanted($0.store) }
  }

  private static func innermost(where isWanted: (OpenTransaction) -> Bool) -> OpenTransaction? {
    var open = ofThread.current
    while let transaction = open, !isWanted(transaction) { open = transaction.outer }
    return open
  }

  static func whileOpen<Value, Failure: Error>(
    _ store: SynchronousMessageStore, _ db: Database, _ draft: Draft? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try ofThread.with(OpenTransaction(of: store, db, draft), body) }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try checkOpen()
    return try body(db)
  }

  /// Writes in it; an error undoes this write only.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try checkOpen()
    var result: Value?
    do {
      try db.inSavepoint {
        result = try body(db)
        return .commit
      }
    } catch {
      draft?.isPartlyRolledBack = true
      throw error
    }
    draft?.forgetNames()
    guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return result
  }

  /// SQLite rolls back a transaction by itself after errors such as a full disk. Later statements would run
  /// outside of any transaction.
  private func checkOpen() throws {
    guard !db.isInsideTransaction else { return }
    throw StoreError(
      .inputOutput, "cannot go on with '\(store.path)'", cause: "an error has ended the transaction",
      remedy: "let the closure of the transaction throw the error of the previous call")
  }
}

extension OpenTransaction {
  final class Draft {
    private let committed: SenderNames
    private var known: SenderNames?
    var contents: [ContentKey] = []
    /// Whether a call in it has thrown: the transaction may be committed without some of its contents.
    var isPartlyRolledBack = false
    var afterCommit: [() -> Void] = []
    /// Whether words have to leave the search indexes, and what is deleted is overwritten.
    var isForgetting = false

    init(beside committed: SenderNames) { self.committed = committed }

    /// The names and counts read since the last write. Not shared, since the write may be rolled back.
    var names: SenderNames {
      if let known { return known }
      let names = SenderNames(beside: committed)
      known = names
      return names
    }

    func forgetNames() { known = nil }
  }
}

/// A value that a thread has during a call. Task-local values crash outside of tasks on Linux where Swift's
/// runtime is linked statically. Foundation's thread dictionary has string keys and casts, some 20,000
/// instructions to set a value.
final class ThreadValue<Value: AnyObject>: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    // A process has 1,024 of them (PTHREAD_KEYS_MAX), and this program makes two at its start.
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no value of threads is left") }
    self.key = key
  }

  var current: Value? {
    pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  func with<Result, Failure: Error>(
    _ value: Value?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, value.map { UnsafeMutableRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    defer {
      // The value lives until here.
      withExtendedLifetime(value) { _ = pthread_setspecific(key, outer) }
    }
    return try body()
  }
}
