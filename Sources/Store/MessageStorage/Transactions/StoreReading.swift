/// The questions to a store: to a ``SynchronousMessageStore``, each call in its own transaction, or to a
/// ``ReadTransaction`` or ``WriteTransaction``, all calls in the same one.
///
/// Every method that reads throws ``StoreError`` of kind `damaged`, `busy` or `inputOutput`, `suspended`
/// while the store is suspended, and `invalidRequest` once it is closed. The methods' own descriptions add
/// only other kinds.
public protocol StoreReading {
  /// The store that is read. In a transaction, calls of this thread to it are part of the transaction.
  var synchronous: SynchronousMessageStore { get }
}

/// The writes to a store in one transaction: to a ``SynchronousMessageStore``, each call in its own
/// transaction, or in a ``WriteTransaction``, all calls in the same one.
///
/// Every method that writes throws what reading throws, `readOnly`, and `displaced` if the file is no longer
/// where it was. It has written nothing then, unless its description says otherwise. The methods' own
/// descriptions add only other kinds.
public protocol StoreWriting: StoreReading {}

extension StoreReading {
  var store: SynchronousMessageStore { synchronous }
}

extension SynchronousMessageStore: StoreWriting {
  /// The store itself.
  public var synchronous: SynchronousMessageStore { self }
}

/// One state of a store, for reading several things: see ``MessageStore/read(_:)``.
///
/// It is valid until the closure that receives it returns, on the closure's thread.
public struct ReadTransaction: StoreReading {
  public let synchronous: SynchronousMessageStore
}

/// One transaction of a store, for reading and writing several things: see ``MessageStore/write(_:)``.
///
/// Work that takes several transactions cannot be part of it: merges, undoing imports, imports, compacting.
///
/// It is valid until the closure that receives it returns, on the closure's thread.
public struct WriteTransaction: StoreWriting {
  public let synchronous: SynchronousMessageStore
}

@available(*, unavailable) extension ReadTransaction: Sendable {}
@available(*, unavailable) extension WriteTransaction: Sendable {}
