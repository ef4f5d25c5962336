package import HistoryQueries
package import MessageModel
package import MessageStorage

/// A command of the REPL.
package enum ReplCommand: Hashable, Sendable {
  /// Older messages: so many, or a page.
  case older(Int?)
  /// Newer messages: so many, or a page.
  case newer(Int?)
  case top
  case bottom
  /// To where the reader jumped away from.
  case back
  /// To the place that `back` left.
  case forward
  case goto(Destination)
  /// Lists the days or months that have messages.
  case sections(HistorySection.Span)
  /// Shows the messages over time, as a picture to choose from.
  case map
  /// Remembers the place in view under a name.
  case mark(String)
  case marks
  /// Goes to what a query finds; ends the search for none.
  case search(String)
  /// To the next hit in a direction.
  case hit(HistoryView.Direction)
  /// Lists what a query finds; without one, the hits of the present search.
  case hits(String)
  /// Shows the pictures that a query finds; all for none.
  case gallery(String)
  /// Lists what answers a question best; without one, what answers the present search.
  case best(String)
  /// Goes to the line of a listed exchange, in which the words that were looked for are shown.
  case exchange(Message.ID)
  /// Shows only the messages that these words let through; all for none.
  case filter(String)
  /// Shows what one person wrote, or everybody again.
  case person(String)
  /// Opens another conversation, everything, a person's messages, or a message in its conversation.
  case open(Opening)
  case conversations
  /// Lists the sessions of assistants that a query finds: those whose newest messages lie before a message, or all.
  case sessions(String, before: Message.ID?)
  /// Shows the conversations to go to one, narrowed by what is typed.
  case switcher
  case stats
  case follow(Bool)
  case freeze(Bool)
  case memory
  /// Shows all settings, or one, or changes it.
  case set(String?, to: String?)
  case view(Target)
  /// Copies the text of a message, or several from one to another.
  case copy(Target, through: Target?)
  /// Shows the links of a message, or copies or opens the one with this number.
  case url(Target, Int?, LinkAction)
  /// Shows the thread of a message.
  case thread(Target)
  /// Lists threads: those last answered before a message, or all.
  case threads(before: Message.ID?)
  /// Goes to what a message answers.
  case answered(Target?)
  /// Brings the text of a message into the line, to be changed there.
  case edit(Target)
  /// Changes a message.
  case change(Target, MessageChange)
  /// Takes back a change.
  case undo(Undoing)
  /// Appends a message that says something or, as an action, what I do; it may answer another.
  case append(String, kind: Message.Kind = .text, replyTo: Target? = nil)
  /// Appends a message with a file attached.
  case attach(file: String, text: String)
  /// Writes what is attached to a message into a folder.
  case save(Target, to: String)
  case load(TransferRequest)
  case export(TransferRequest)
  /// Carries out the commands of a file.
  case source(String)
  case help(String?)
  case quit

  /// A choice of the change to take back.
  package enum Undoing: Hashable, Sendable {
    /// The last one of this run; in another conversation it is asked first.
    case last
    /// The last one in the conversation that is open.
    case here
    /// The one with this number.
    case change(Int)
  }

  /// A place to go to.
  package enum Destination: Hashable, Sendable {
    case time(TimeExpression)
    /// The message with this number, from 1.
    case number(Int)
    case percent(Double)
    case message(Message.ID)
    case mark(String)
    case unread
    case oldest, newest
  }

  /// An action on a link.
  package enum LinkAction: String, Hashable, Sendable, CaseIterable {
    case show, copy, open
  }

  /// A message that is called by its letter or its id.
  package enum Target: Hashable, Sendable {
    case handle(String)
    case message(Message.ID)
  }

  /// A change of a message.
  package enum MessageChange: Hashable, Sendable {
    case edit(String)
    case delete
    /// Adds my reaction or, if it is there already, takes it back.
    case react(String)
    /// Gives it a star or, if it has one, takes that away.
    case star
  }
}
