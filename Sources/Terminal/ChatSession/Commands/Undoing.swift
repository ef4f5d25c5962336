internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/undo`.
extension Session {
  /// Takes a change back; what was done last in another conversation is asked about first.
  mutating func undo(_ wanted: ReplCommand.Undoing) throws -> Effects {
    let change = try context.change(wanted)
    if wanted == .last, !context.timeline.showsAll(of: change.conversation) {
      guard reader.traits.hasLine else { throw try context.elsewhere(change) }
      return Effects(.question(try context.question(about: change)))
    }
    return changed(.notice(try context.undo(change)))
  }
}

extension ReplContext {
  /// A change that was made in this run and can be taken back.
  struct Change: Sendable {
    /// The change that was made to the message.
    enum Kind: Sendable {
      case writing, edit, deletion, reaction, withdrawal, star, starRemoval

      /// The words for it before the message: `the edit of`.
      fileprivate var name: String {
        switch self {
        case .writing: "message"
        case .edit: "the edit of"
        case .deletion: "the deletion of"
        case .reaction: "the reaction to"
        case .withdrawal: "the withdrawal of the reaction to"
        case .star: "the star of"
        case .starRemoval: "the removal of the star of"
        }
      }
    }

    /// Tells it from the others.
    let number: Int
    fileprivate let kind: Kind
    fileprivate let message: Message.ID
    let conversation: Conversation.ID
    /// The sender of the message and its text, safe to be shown.
    fileprivate let sender: String
    fileprivate let text: String
    fileprivate let undo: Restoration

    /// Brings something back as it was.
    typealias Restoration = @Sendable () throws(StoreError) -> Void
  }

  /// The most changes that are remembered.
  private static let mostChanges = 100
  /// The most columns of a text by which a change is told.
  private static let textColumns = 40

  /// Remembers a change as the last one.
  ///
  /// - Parameter message: The message as it was before, or as it was written.
  mutating func remember(_ kind: Change.Kind, of message: Message, _ undo: @escaping Change.Restoration) {
    remember(kind, of: message.id, in: message.conversation, by: message.sender?.name, message.text, undo)
  }

  /// Remembers that a message of mine was the last change.
  mutating func noteWritten(_ message: NewMessage, as id: Message.ID, in conversation: Conversation.ID) {
    remember(.writing, of: id, in: conversation, by: message.sender, message.text) {
      [store] () throws(StoreError) in try store.delete([id])
    }
  }

  private mutating func remember(
    _ kind: Change.Kind, of id: Message.ID, in conversation: Conversation.ID, by sender: String?,
    _ text: String,
    _ undo: @escaping Change.Restoration
  ) {
    let number = (changes.last?.number ?? 0) + 1
    changes.append(
      Change(
        number: number, kind: kind, message: id, conversation: conversation,
        sender: SafeText.oneLine(sender ?? "").cut(columns: 24),
        text: SafeText.oneLine(text.prefix(200)).cut(columns: Self.textColumns), undo: undo))
    changes.removeFirst(max(0, changes.count - Self.mostChanges))
  }

  /// Returns the change that is meant.
  ///
  /// - Throws: ``UsageError`` if there is none.
  func change(_ wanted: ReplCommand.Undoing) throws(UsageError) -> Change {
    let found =
      switch wanted {
      case .last: changes.last
      case .here: changes.last { timeline.showsAll(of: $0.conversation) }
      case .change(let number): changes.last { $0.number == number }
      }
    if let found { return found }
    let place = wanted == .here ? "in this conversation" : "here"
    throw UsageError("there is nothing to undo", cause: "nothing was changed \(place) since the start")
  }

  /// Whether something was changed in the conversation that is open.
  private var hasChangesHere: Bool { changes.contains { timeline.showsAll(of: $0.conversation) } }

  /// Takes a change back and returns what to say of it.
  ///
  /// - Throws: ``StoreError`` if it cannot be; it stays then, unless the message is gone.
  mutating func undo(_ change: Change) throws -> String {
    do throws(StoreError) { try change.undo() } catch {
      if error.kind == .notFound { changes.removeAll { $0.number == change.number } }
      throw error
    }
    changes.removeAll { $0.number == change.number }
    let place = change.conversation == openConversation?.id ? "" : " in '\(try name(of: change))'"
    if change.kind == .withdrawal {
      return "undone: your reaction is back · #\(change.message) '\(change.text)'\(place)"
    }
    return "undone: \(change.kind.name) #\(change.message) '\(change.text)'\(place)"
  }

  /// The question whether to take back a change that was made in another conversation.
  mutating func question(about change: Change) throws(StoreError) -> Question {
    var answers = [
      Question.Answer(word: "yes", command: TypedCommand(.undo(.change(change.number)), .writes))
    ]
    var text = "the last change was made in '\(try name(of: change))': undo \(try description(of: change))?"
    if hasChangesHere {
      answers.append(Question.Answer(word: "here", command: TypedCommand(.undo(.here), .writes)))
      text += " (h: the last one here)"
    }
    answers.append(Question.Answer(word: "no", command: nil))
    return Question(text: text, answers: answers)
  }

  /// The error that says that the last change was made in another conversation, where nobody can be asked.
  mutating func elsewhere(_ change: Change) throws(StoreError) -> UsageError {
    let name = try name(of: change)
    let here = hasChangesHere ? ", or /undo here" : ""
    return UsageError(
      "cannot undo: the last change was made in '\(name)'", cause: "it is \(try description(of: change))",
      remedy: "/open \(name), then /undo\(here)")
  }

  private func name(of change: Change) throws(StoreError) -> String {
    SafeText.oneLine(try store.conversation(change.conversation)?.name ?? "a conversation that is gone")
  }

  /// The change with its message: text, sender and date.
  private mutating func description(of change: Change) throws(StoreError) -> String {
    let date = DateText.dateAndTime(clock.civil(at: try store.moment(of: change.message)), precision: .minute)
    let who = change.sender.isEmpty ? "" : " by \(change.sender)"
    return "\(change.kind.name) '\(change.text)'\(who), \(date)"
  }
}
