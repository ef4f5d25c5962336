internal import HistoryQueries
internal import MessageModel

package enum FilterName {
  /// Throws ``UsageError`` for a name with another meaning for `/filter`.
  package static func check(_ name: String) throws(UsageError) {
    guard MessageQuery.isReserved(name) else { return }
    throw UsageError(
      "a filter cannot be named '\(VisibleText.of(name))'", cause: "that means something else to /filter",
      remedy: "another name")
  }
}
