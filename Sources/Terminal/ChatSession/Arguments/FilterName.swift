internal import HistoryQueries
internal import MessageModel

/// The names that filters are saved by.
package enum FilterName {
  /// Refuses names that mean something else to `/filter`.
  ///
  /// - Throws: ``UsageError`` if the name means something else to `/filter`.
  package static func check(_ name: String) throws(UsageError) {
    guard MessageQuery.isReserved(name) else { return }
    throw UsageError(
      "a filter cannot be named '\(VisibleText.of(name))'", cause: "that means something else to /filter",
      remedy: "another name")
  }
}
