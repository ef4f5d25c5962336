package import HistoryQueries
package import MessageModel
package import MessageStorage
internal import TerminalText

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
  /// Where `back` came from.
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
  /// Shows only the messages that these words let through; all for none.
  case filter(String)
  case open(String)
  case conversations
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
  /// Goes to what a message answers.
  case answered(Target?)
  case reply(Target, String)
  /// Gives a message another text; without one, the present text is brought into the line.
  case edit(Target, String?)
  case delete(Target)
  /// Takes back a change.
  case undo(Undoing)
  case react(Target, String)
  case append(String)
  /// Appends a message that says what I do.
  case act(String)
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

  /// Whether it changes messages.
  package var isWriting: Bool {
    switch self {
    case .append, .act, .attach, .reply, .edit, .delete, .react, .undo, .load: true
    case .older, .newer, .top, .bottom, .back, .forward, .goto, .sections, .map, .mark, .marks, .search, .hit,
      .hits, .filter,
      .open, .conversations, .stats, .follow, .freeze, .memory, .set, .view, .copy, .url, .thread, .answered,
      .save, .export, .source, .help,
      .quit:
      false
    }
  }

  /// Where it writes: an imported conversation is written to only when somebody has agreed.
  var place: WritingPlace? {
    switch self {
    case .append, .act, .attach, .reply: .conversation
    case .edit(let target, let text): text.map { _ in .message(target, "edit a message of") }
    case .delete(let target): .message(target, "delete a message of")
    case .react(let target, _): .message(target, "react in")
    case .older, .newer, .top, .bottom, .back, .forward, .goto, .sections, .map, .mark, .marks, .search, .hit,
      .filter,
      .open, .conversations, .stats, .follow, .freeze, .memory, .set, .view, .copy, .url, .thread,
      .answered, .save, .export, .source,
      .help,
      .undo, .load, .hits, .quit:
      nil
    }
  }

  /// Returns the command with the message that it is about called by its id: by then its letter may be another's.
  func calling(_ id: Message.ID) -> ReplCommand {
    switch self {
    case .reply(_, let text): .reply(.message(id), text)
    case .edit(_, let text): .edit(.message(id), text)
    case .delete: .delete(.message(id))
    case .react(_, let emoji): .react(.message(id), emoji)
    case .older, .newer, .top, .bottom, .back, .forward, .goto, .sections, .map, .mark, .marks, .search, .hit,
      .hits, .filter, .open, .conversations, .stats, .follow, .freeze, .memory, .set, .view, .copy, .url,
      .thread, .answered, .undo, .append, .act, .attach, .save, .load, .export, .source, .help, .quit:
      self
    }
  }

  /// A place to write to.
  enum WritingPlace {
    /// The conversation that is open.
    case conversation
    /// That of a message, and what is done there, in words.
    case message(Target, String)
  }

  /// A choice of the change to take back.
  package enum Undoing: Hashable, Sendable {
    /// The last one of this run; in another conversation it is asked first.
    case last
    /// The last one in the conversation that is open.
    case here
    /// The one with this number.
    case change(Int)
  }

  /// The line by which it is tried again; `nil` for what begins with a slash, which the history of lines has.
  var lineToTryAgain: String? {
    guard case .append(let text) = self else { return nil }
    return text.hasPrefix("/") ? "/" + text : text
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

  /// What to do with a link.
  package enum LinkAction: String, Hashable, Sendable, CaseIterable {
    case show, copy, open
  }

  /// A message that is called by its letter or its id.
  package enum Target: Hashable, Sendable {
    case handle(String)
    case message(Message.ID)
  }
}
