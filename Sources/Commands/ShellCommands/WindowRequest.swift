package import ChatSession
package import MessageStorage
package import TerminalText

package struct WindowRequest: Sendable {
  /// The context to begin in.
  package var context: ReplContext
  package var store: SynchronousMessageStore
  /// The folder of the state kept between runs.
  package var state: StateFolder
  package var config: ConfigFile
  package var traits: TerminalTraits
  /// Whether the window is read-only, with the keys of `less`.
  package var isView: Bool
  /// Whether the mouse wheel scrolls; the terminal then selects text only with Shift.
  package var usesWheel: Bool
  /// The file for the latency of each key; `nil` for none.
  package var trace: String?
}

package struct WindowEnd: Sendable {
  package var context: ReplContext
  /// The signal that ended it; `nil` if the user left.
  package var signal: Int32?

  package init(context: ReplContext, signal: Int32?) {
    self.context = context
    self.signal = signal
  }
}
