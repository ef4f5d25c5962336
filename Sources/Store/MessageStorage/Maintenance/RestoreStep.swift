/// A moment at which an interrupted restore must leave an intact store. Tests stop there.
package enum RestoreStep: String, Sendable, CaseIterable {
  case begun, copied, contentsCopied, held, logMoved, kept, exchanged, synced, opened, removed

  /// Called at each step; it may throw or end the process.
  @TaskLocal package static var hook: (@Sendable (RestoreStep) throws -> Void)?

  /// Whether names are exchanged atomically; tests try restores without.
  @TaskLocal package static var exchangesNames = true

  func pass() throws { try Self.hook?(self) }
}
