package import ChatSession
package import MessageStorage
package import TerminalText

/// A request of `open` to whoever owns the terminal.
package struct WindowRequest: Sendable {
  /// The context to begin in.
  package var context: ReplContext
  package var store: SynchronousMessageStore
  /// The folder of what is remembered between runs.
  package var state: StateFolder
  /// The file of settings.
  package var config: ConfigFile
  /// The traits of the terminal.
  package var traits: TerminalTraits
  /// Whether nothing is written, and keys are those of `less`.
  package var isView: Bool
  /// Whether the mouse wheel scrolls; if so the terminal selects text only with Shift.
  package var usesWheel: Bool
  /// The file that notes how long each key took; `nil` for none.
  package var trace: String?
}

/// The end of a window.
package struct WindowEnd: Sendable {
  /// The context in which it was left.
  package var context: ReplContext
  /// The signal that ended it; `nil` if the user left.
  package var signal: Int32?

  /// Describes the end of a window.
  package init(context: ReplContext, signal: Int32?) {
    self.context = context
    self.signal = signal
  }
}
