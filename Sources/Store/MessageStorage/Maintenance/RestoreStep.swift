/// A moment at which a restore may be cut off, which leaves a whole store. Tests stop there.
package enum RestoreStep: String, Sendable, CaseIterable {
  case begun, copied, contentsCopied, held, logMoved, kept, exchanged, synced, opened, removed

  /// The action of a test at each step; it may throw, or end the process.
  @TaskLocal package static var hook: (@Sendable (RestoreStep) throws -> Void)?

  /// Whether the file system is asked to exchange names; tests try how it goes without.
  @TaskLocal package static var exchangesNames = true

  /// Passes this step.
  func pass() throws { try Self.hook?(self) }
}
