internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Reads several things of one state of the store, in one transaction.
  ///
  /// Until `body` returns, the write-ahead log cannot be emptied. See ``MessageStore/read(_:)``.
  ///
  /// - Throws: What `body` throws, and ``StoreError`` if the store cannot be read.
  public func read<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
    var thrown: (any Error)?
    do {
      return try atOneMoment { () throws(StoreError) in
        do { return try body(ReadTransaction(synchronous: self)) } catch {
          thrown = error
          throw StoreError(error, doing: "cannot read '\(path)'")
        }
      }
    } catch { throw thrown ?? error }
  }

  /// Runs a closure in one read transaction: all reads of this thread within `body` see the same state.
  ///
  /// Keep it short: until `body` returns, the write-ahead log cannot be emptied.
  ///
  /// - Throws: What `body` throws, and ``StoreError`` as reading does.
  package func atOneMoment<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    if OpenTransaction.current(of: self) != nil { return try body() }
    // Each page of an archive is of one state already.
    return try reading("cannot read '\(path)'", archived: { _ in try body() }) { db in
      try OpenTransaction.whileOpen(self, db) { () throws(StoreError) in try body() }
    }
  }

  /// Writes several things, or reads and writes them, in one transaction.
  ///
  /// See ``MessageStore/write(_:)`` for its rules.
  ///
  /// - Throws: What `body` throws, and ``StoreError`` if the store cannot be written. Nothing is written
  ///   then.
  @discardableResult
  public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
    let transaction = WriteTransaction(synchronous: self)
    if let open = openWrite { return try open.write { _ in try body(transaction) } }
    let draft = OpenTransaction.Draft(beside: committedNames)
    var thrown: (any Error)?
    do {
      let value = try writing("cannot write to '\(path)'") { db in
        defer { if draft.isForgetting { try? SecureDeletion.ofRows.apply(to: db) } }
        return try OpenTransaction.whileOpen(self, db, draft) {
          do {
            let value = try body(transaction)
            if draft.isForgetting { try SecureDeletion.clean(db) }
            return value
          } catch {
            thrown = error
            throw error
          }
        }
      }
      if draft.isPartlyRolledBack { removeUnreferenced(draft.contents, doing: "cannot write to '\(path)'") }
      for finish in draft.afterCommit { finish() }
      return value
    } catch {
      removeUnreferenced(draft.contents, doing: "cannot write to '\(path)'")
      throw thrown ?? error
    }
  }

  var openWrite: OpenTransaction? { OpenTransaction.writing { $0 === self } }

  /// The names and counts that have been read, as this thread's transaction sees them.
  var senderNames: SenderNames { openWrite?.draft?.names ?? committedNames }

  /// Reads in this thread's transaction, or in a new one.
  func reading<Value>(
    _ doing: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    let isCancelled = Self.isCancelled
    if isCancelled?() == true { throw StoreError(.cancelled, doing()) }
    try source.checkReadable(doing)
    do {
      if let open = OpenTransaction.current(of: self) { return try open.read(body) }
      return try gate.whileOpen {
        try database.read { db in
          if unexpectedObject != nil {
            let limit = WorkLimit(byteCount: StoreFile.byteCount(of: path), isCancelled: isCancelled)
            return try limit.whileCounting(db) { try body(db) }
          }
          guard let isCancelled else { return try body(db) }
          return try Cancellation(isCancelled).whileWatching(db) { try body(db) }
        }
      }
    } catch {
      throw told(error, doing: doing(), isCancelled: isCancelled?() == true)
    }
  }

  var readsAtOnce: Bool { options.readerCount > 1 && database is DatabasePool }

  /// Converts an error. Calls interrupted by a suspension report that.
  private func told(_ error: any Error, doing: String, isCancelled: Bool) -> StoreError {
    let told = StoreError(error, doing: doing)
    guard !isCancelled, gate.isSuspended, told.kind == .cancelled || told.kind == .busy else { return told }
    return StoreError(StoreGate.IsSuspended(), doing: doing)
  }

  /// Writes in a savepoint of this thread's transaction, or in a new transaction. A new transaction takes the
  /// write lock at once, so that no other writer changes what `body` has read. Triggers are on but for a `body` that
  /// switches them itself.
  func writing<Value>(
    _ doing: @autoclosure () -> String, switchingTriggers: Bool = true, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    func write(_ db: Database) throws -> Value {
      if switchingTriggers { Triggers.switchOn(db) }
      return try body(db)
    }
    try source.checkWritable(doing)
    do {
      if let open = openWrite { return try open.write(write) }
      guard let writer = database as? any DatabaseWriter, isWritable else { throw onlyRead(doing()) }
      let (value, version) = try gate.whileOpen {
        try writer.writeWithoutTransaction { db in
          var result: (Value, SourceVersion)?
          try db.inTransaction(.immediate) {
            try place.check()
            let value = try write(db)
            try FilterMembers(db: db).settle()
            try StoredKeys(db: db).settle()
            result = (value, try SourceVersion(of: 0, in: db))
            return .commit
          }
          guard let result else { throw StoreError(.inputOutput, doing()) }
          // Another file may have taken the store's path meanwhile: other processes do not see this commit.
          try place.check()
          return result
        }
      }
      watcher.ownCommit(version)
      return value
    } catch {
      let isCancelled = Self.isCancelled?() == true
      let error = told(error, doing: doing(), isCancelled: isCancelled)
      guard error.kind == .busy, isCancelled else { throw error }
      throw StoreError(.cancelled, doing())
    }
  }

  /// Writes one of several transactions. Throws if this thread is already writing in a transaction.
  func writingPiece<Value>(
    _ doing: @autoclosure () -> String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    if openWrite != nil { throw StoreError(StoreGate.IsInTransaction(), doing: doing()) }
    return try writing(doing(), body)
  }

  private func onlyRead(_ doing: String) -> StoreError {
    let reason = unexpectedObject.map { "it holds the \($0), which does not match Scrollback's schema" }
    return StoreError(
      .readOnly, doing, cause: reason ?? "'\(path)' was opened for reading only",
      remedy: reason == nil ? nil : "export it, and import that into a new store")
  }
}
