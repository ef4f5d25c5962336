internal import MessageModel

/// The names that filters are saved by.
package enum FilterName {
  /// Names that mean something else to `/filter` are refused.
  package static func check(_ name: String) throws(UsageError) {
    guard ["save", "text"].contains(name) || name.contains(":") || name.contains("\"") else { return }
    throw UsageError(
      "a filter cannot be called '\(VisibleText.of(name))'", cause: "that means something else to /filter",
      remedy: "another name")
  }
}
