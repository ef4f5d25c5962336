internal import HistoryModel
package import HistoryQueries
package import MessageModel
internal import MessageStorage

/// A command of the REPL.
package enum ReplCommand: Hashable, Sendable {
  /// Scrolls to older messages, by a count or a page.
  case older(Int?)
  /// Scrolls to newer messages, by a count or a page.
  case newer(Int?)
  case top
  case bottom
  /// Returns to where the reader jumped from.
  case back
  /// Returns to the place that `back` left.
  case forward
  case goto(Destination)
  /// Lists days or months with messages.
  case sections(HistorySection.Span)
  /// Shows messages over time, to choose from.
  case map
  /// Names the place in view.
  case mark(String)
  case marks
  /// Goes to what a query finds; an empty query ends the search.
  case search(String)
  /// Goes to the next hit.
  case hit(HistoryView.Direction)
  /// Lists what a query finds; if empty, the hits of the present search.
  case hits(String)
  /// Shows the pictures that a query finds; all if empty.
  case gallery(String)
  /// Lists the best answers to a question; if empty, to the present search.
  case best(String)
  /// Goes to a line of a listed exchange, with its words highlighted.
  case exchange(Message.ID)
  /// Shows only matching messages; all if empty.
  case filter(String)
  /// Shows one person's messages; everybody's if empty.
  case person(String)
  /// Opens a conversation, everything, a person's messages, or a message in its conversation.
  case open(Opening)
  case conversations
  /// Lists assistants' sessions that a query finds, before a message or all.
  case sessions(String, before: Message.ID?)
  /// Shows conversations to open, narrowed by typing.
  case switcher
  case stats
  case follow(Bool)
  case freeze(Bool)
  case memory
  /// Shows all settings or one, or changes it.
  case set(String?, to: String?)
  case view(Target)
  /// Copies a message's text, or a range.
  case copy(CopiedMessages)
  /// Puts a message's text, or a range, as a quotation into the line.
  case quote(CopiedMessages)
  /// Shows a message's links, or copies or opens one.
  case url(Target, Int?, LinkAction)
  /// Shows a message's thread.
  case thread(Target)
  /// Lists threads by their newest reply, before a message or all.
  case threads(before: Message.ID?)
  /// Goes to the message that a reply answers.
  case answered(Target?)
  /// Puts a message's text into the line for editing.
  case edit(Target)
  /// Changes a message.
  case change(Target, MessageChange)
  /// Undoes a change.
  case undo(Undoing)
  /// Appends a message or an action, perhaps as a reply.
  case append(String, kind: Message.Kind = .text, replyTo: Target? = nil)
  /// Appends a message with an attachment.
  case attach(file: String, text: String)
  /// Writes a message's attachments into a folder.
  case save(Target, to: String)
  case load(TransferRequest)
  case export(TransferRequest)
  /// Runs the commands of a file.
  case source(String)
  case help(String?)
  case quit

  /// Which change to undo.
  package enum Undoing: Hashable, Sendable {
    /// The last one of this run; asks if it was made in another conversation.
    case last
    /// The last one in the open conversation.
    case here
    /// The one with this number.
    case change(Int)
  }

  /// A place to go to.
  package enum Destination: Hashable, Sendable {
    case time(TimeExpression)
    /// By message number, from 1.
    case number(Int)
    case percent(Double)
    case message(Message.ID)
    case mark(String)
    case unread
    case oldest, newest
  }

  package enum LinkAction: String, Hashable, Sendable, CaseIterable {
    case show, copy, open
  }

  /// A message or a range, the form in which it is copied, and where to.
  package struct CopiedMessages: Hashable, Sendable {
    /// `nil` for the messages that keys have selected.
    package var first: Target?
    package var last: Target?
    /// An export format; `nil` for the texts as they are shown.
    package var format: String?
    /// A command of the shell; `nil` for the clipboard.
    package var command: String?
  }

  package enum Target: Hashable, Sendable {
    case handle(String)
    case message(Message.ID)
  }

  package enum MessageChange: Hashable, Sendable {
    case edit(String)
    case delete
    /// Adds my reaction, or removes it.
    case react(String)
    /// Adds a star, or removes it.
    case star
    /// Moves the read mark back to before it.
    case unread
  }
}

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
