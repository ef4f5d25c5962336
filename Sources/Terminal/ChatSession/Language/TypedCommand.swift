/// A command with its effect on the store, from its entry in the table.
package struct TypedCommand: Hashable, Sendable {
  package var meaning: ReplCommand
  package let effect: Effect
  package var namesFiles = false

  /// A command's effect on messages.
  package enum Effect: Hashable, Sendable {
    /// Changes none; available in views.
    case reads
    /// Changes or imports messages. Asks first for those of an imported conversation.
    case writes
    /// Appends to the open conversation. Asks first if that was imported.
    case appends
  }

  init(_ meaning: ReplCommand, _ effect: Effect) {
    self.meaning = meaning
    self.effect = effect
  }

  static func message(_ text: String) -> TypedCommand { TypedCommand(.append(text), .appends) }

  /// The line to try again; `nil` for commands, which are in the history.
  var lineToTryAgain: String? {
    guard case .append(let text, .text, replyTo: nil) = meaning else { return nil }
    return text.hasPrefix("/") ? "/" + text : text
  }
}
