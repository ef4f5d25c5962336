/// Looks through a file for what would be replaced in its text.
package struct ContentCheck: Sendable {
  /// The outcome of a look.
  package enum Content: Sendable {
    case clean, redacted
    /// Something is encoded in more bytes than are looked into.
    case unread
  }

  private let redactor: Redactor
  private var windows: TextWindows
  private var isFound = false

  /// Creates a check of a text that begins.
  package init(_ redactor: Redactor, windowSize: Int = TextWindows.size) {
    (self.redactor, windows) = (redactor, TextWindows(size: windowSize))
  }

  /// Looks at what comes next, in UTF-8, and returns whether to go on.
  package mutating func take(_ bytes: some Collection<UInt8>) -> Bool {
    if !isFound { isFound = windows.take(bytes, found) != nil }
    return !isFound
  }

  /// Looks at the last bytes.
  package mutating func finish() -> Content {
    let isCut = windows.isCut
    return isFound || windows.finish(found) != nil ? .redacted : isCut ? .unread : .clean
  }

  private func found(in window: TextWindows.Window) -> Bool? {
    guard window.unread.isEmpty else { return true }
    let isFound = window.forms.contains { form in
      guard let spans = redactor.spans(in: form.text, isUnmarked: form.isUnmarked) else { return true }
      return spans.contains { window.counts($0.range, in: form.text) }
    }
    return isFound ? true : nil
  }
}
