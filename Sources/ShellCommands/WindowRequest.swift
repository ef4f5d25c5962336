package import MessageShell
package import MessageStorage
package import TerminalText

/// What `open` asks of whoever owns the terminal.
package struct WindowRequest: Sendable {
  /// Where to begin, and as whom.
  package var context: ReplContext
  package var store: SynchronousMessageStore
  /// What is remembered between runs.
  package var state: StateFolder
  /// What the terminal understands.
  package var traits: TerminalTraits
  /// Whether nothing is written, and keys are those of `less`.
  package var isView: Bool
  /// Whether the mouse wheel scrolls; if so the terminal selects text only with Shift.
  package var usesWheel: Bool
  /// The file that notes how long each key took; `nil` for none.
  package var trace: String?
}

/// How a window was left.
package struct WindowEnd: Sendable {
  /// Where that was.
  package var context: ReplContext
  /// The signal that ended it; `nil` if the user left.
  package var signal: Int32?

  /// Describes the end of a window.
  package init(context: ReplContext, signal: Int32?) {
    self.context = context
    self.signal = signal
  }
}
