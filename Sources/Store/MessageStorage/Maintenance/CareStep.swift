/// A step of the long work of looking after a store: what checks and compactions tell while they are at it.
package enum CareStep: String, Hashable, Sendable, CaseIterable {
  /// The pages of the file, as SQLite keeps them.
  case file
  /// Numbers, and what rows name of others.
  case references
  /// Texts and the checksums of messages.
  case texts
  /// The search indexes.
  case search
  /// Counts, from which ordinals and totals come, and saved filters.
  case counts
  /// The keys by which what is imported again is known.
  case duplicates
  /// Attached contents.
  case contents
  /// A repair of what was found.
  case repair
  /// A copy of the file without unused space.
  case copy
}
