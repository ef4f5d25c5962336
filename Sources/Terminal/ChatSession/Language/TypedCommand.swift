/// A command of the REPL as it is carried out: its meaning, and its effect on the store, which its entry in the table names.
package struct TypedCommand: Hashable, Sendable {
  package var meaning: ReplCommand
  package let effect: Effect
  /// Whether its arguments name files.
  package var namesFiles = false

  /// The effect of a command on the messages of a store.
  package enum Effect: Hashable, Sendable {
    /// It changes none: it may be given in a view.
    case reads
    /// It changes messages, or brings them in. Before one of an imported conversation is changed, that is asked about.
    case writes
    /// It adds to the conversation that is open. If that was imported, it is asked about first.
    case appends
  }

  init(_ meaning: ReplCommand, _ effect: Effect) {
    self.meaning = meaning
    self.effect = effect
  }

  /// Returns the command that appends a line.
  static func message(_ text: String) -> TypedCommand { TypedCommand(.append(text), .appends) }

  /// The line by which it is tried again; `nil` for what begins with a slash, which the history of lines has.
  var lineToTryAgain: String? {
    guard case .append(let text, .text, replyTo: nil) = meaning else { return nil }
    return text.hasPrefix("/") ? "/" + text : text
  }
}
