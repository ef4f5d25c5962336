/// A step of a check or compaction, reported as progress.
package enum CareStep: String, Hashable, Sendable, CaseIterable {
  /// The pages of the file, as SQLite keeps them.
  case file
  /// Numbers and references of rows.
  case references
  /// Texts and the checksums of messages.
  case texts
  /// The search indexes.
  case search
  /// Counts and saved filters.
  case counts
  /// The keys by which imports recognise messages.
  case duplicates
  /// Attached contents.
  case contents
  /// The repair of problems found.
  case repair
  /// A compacted copy of the file.
  case copy
}
