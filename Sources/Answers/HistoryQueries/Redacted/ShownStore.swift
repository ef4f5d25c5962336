package import MessageModel
package import MessageStorage
package import Redaction

/// A store with what is shown of it: itself, or a store over a ``RedactedHistory``.
package struct ShownStore: Sendable {
  /// The store in its file.
  package let original: SynchronousMessageStore
  /// The store that questions are asked of.
  package let shown: SynchronousMessageStore

  /// - Throws: ``StoreError`` as reading a store does.
  package init(_ original: SynchronousMessageStore, by redactor: Redactor?) throws(StoreError) {
    self.original = original
    guard let redactor else {
      shown = original
      return
    }
    shown = try SynchronousMessageStore(reading: RedactedHistory(original, by: redactor))
  }

  /// Does something with what is shown; no error names the path of the original.
  package func reading<Value>(_ body: (SynchronousMessageStore) throws -> Value) throws -> Value {
    do {
      return try body(shown)
    } catch let error as StoreError {
      throw told(error)
    }
  }

  /// Returns an error as it is told.
  package func told(_ error: StoreError) -> StoreError {
    guard shown !== original else { return error }
    var error = error
    error.summary = error.summary.replacing(original.path, with: shown.path)
    error.cause = error.cause?.replacing(original.path, with: shown.path)
    return error
  }

  /// Closes both.
  package func close() {
    if shown !== original { shown.close() }
    original.close()
  }
}
