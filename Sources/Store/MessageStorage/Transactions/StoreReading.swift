/// What is read of a store: of a ``SynchronousMessageStore``, each call in a transaction of its own, or of a ``ReadTransaction``
/// or ``WriteTransaction``, all calls in the same one.
///
/// Whatever reads throws ``StoreError`` of kind `damaged`, `busy` or `inputOutput`, and `invalidRequest` once the store
/// is closed.
public protocol StoreReading {
  /// The store that is read.
  var handle: StoreHandle { get }
}

/// What is written to a store in one transaction: to a ``SynchronousMessageStore``, each call in a transaction of its own, or
/// in a ``WriteTransaction``, all calls in the same one.
///
/// Whatever writes throws what reading throws, `readOnly`, and `displaced` if the file is no longer where it was. It has
/// written nothing then, unless its description says otherwise.
public protocol StoreWriting: StoreReading {}

/// The store behind a ``StoreReading``. It has no members of its own.
public struct StoreHandle {
  package let store: SynchronousMessageStore
}

extension StoreReading {
  var store: SynchronousMessageStore { handle.store }
}

extension SynchronousMessageStore: StoreWriting {
  /// The store itself.
  public var handle: StoreHandle { StoreHandle(store: self) }
}

/// One state of a store, in which several things are read: see ``MessageStore/read(_:)``.
///
/// It is of use only until the closure that gets it returns, on the thread that calls the closure.
public struct ReadTransaction: StoreReading {
  public let handle: StoreHandle
}

/// One transaction of a store, in which several things are read and written: see ``MessageStore/write(_:)``.
///
/// What takes several transactions is no part of it: merges, undoing, imports, compacting.
///
/// It is of use only until the closure that gets it returns, on the thread that calls the closure.
public struct WriteTransaction: StoreWriting {
  public let handle: StoreHandle
}

@available(*, unavailable) extension ReadTransaction: Sendable {}
@available(*, unavailable) extension WriteTransaction: Sendable {}
@available(*, unavailable) extension StoreHandle: Sendable {}
