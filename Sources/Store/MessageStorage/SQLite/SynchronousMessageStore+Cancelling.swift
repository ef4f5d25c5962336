extension SynchronousMessageStore {
  /// Does something on this thread that can be stopped: reading, and waiting for another writer, end with an error of kind
  /// `cancelled` then. What is written is written whole or not at all.
  ///
  /// - Parameter isCancelled: `nil` for what cannot be stopped within something that can.
  /// - Throws: What `body` throws.
  package static func whileCancellable<Value, Failure: Error>(
    by isCancelled: (@Sendable () -> Bool)?, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Question.ofThread.with(isCancelled.map { Question($0) }, body)
  }

  /// Tells whether what this thread does is to end; `nil` if it cannot be stopped.
  package static var isCancelled: (@Sendable () -> Bool)? {
    Question.ofThread.current?.isCancelled
  }

  private final class Question: Sendable {
    let isCancelled: @Sendable () -> Bool

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    static let ofThread = ThreadValue<Question>()
  }
}
