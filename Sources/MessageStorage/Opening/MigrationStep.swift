package import Synchronization

/// A moment at which bringing a store to the present form may be cut off, just before what was done is committed. Tests
/// stop there.
package enum MigrationStep: Sendable {
  /// Tables and triggers are those of the present form.
  case formed
  /// An index is made.
  case indexed

  /// The action of a test at each step; it may end the process.
  package static let hook = Mutex<(@Sendable (MigrationStep) -> Void)?>(nil)

  /// Passes this step.
  func pass() { Self.hook.withLock { $0 }?(self) }
}
