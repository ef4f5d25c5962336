internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  /// Undoes a change; asks before undoing the last one if it was made in another conversation.
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
  struct Change: Sendable {
    enum Kind: Sendable {
      case writing, edit, deletion, reaction, withdrawal, star, starRemoval

      /// Prefix for the message's text: `the edit of`.
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

    let number: Int
    fileprivate let kind: Kind
    fileprivate let message: Message.ID
    let conversation: Conversation.ID
    /// Safe for display.
    fileprivate let sender: String
    fileprivate let text: String
    fileprivate let undo: Restoration

    typealias Restoration = @Sendable () throws(StoreError) -> Void
  }

  private static let mostChanges = 100
  private static let textColumns = 40

  mutating func remember(_ kind: Change.Kind, of message: Message, _ undo: @escaping Change.Restoration) {
    remember(kind, of: message.id, in: message.conversation, by: message.sender?.name, message.text, undo)
  }

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

  private var hasChangesHere: Bool { changes.contains { timeline.showsAll(of: $0.conversation) } }

  /// Returns the sentence for the user. A change that cannot be undone stays, unless its message is gone.
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

  private mutating func description(of change: Change) throws(StoreError) -> String {
    let date = DateText.dateAndTime(clock.civil(at: try store.moment(of: change.message)), precision: .minute)
    let who = change.sender.isEmpty ? "" : " by \(change.sender)"
    return "\(change.kind.name) '\(change.text)'\(who), \(date)"
  }
}
