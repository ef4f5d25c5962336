/// A moment at which attaching or moving may be interrupted and must leave the store intact. Tests stop
/// there.
package enum AttachmentStep: String, Sendable, CaseIterable {
  case opened, made, copied, synced, locked, renamed, folderSynced, described, written, referenced
  case committed, moved, compared, removed

  /// Called at each step; it may throw or end the process.
  @TaskLocal package static var hook: (@Sendable (AttachmentStep) throws -> Void)?

  func pass() throws { try Self.hook?(self) }
}
