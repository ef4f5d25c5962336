/// A moment at which attaching or moving may be cut off, which leaves the store whole. Tests stop there.
package enum AttachmentStep: String, Sendable, CaseIterable {
  case opened, made, copied, synced, locked, renamed, folderSynced, described, written, referenced
  case committed, moved, compared, removed

  /// The action of a test at each step; it may throw, or end the process.
  @TaskLocal package static var hook: (@Sendable (AttachmentStep) throws -> Void)?

  /// Passes this step.
  func pass() throws { try Self.hook?(self) }
}
