package import MessageModel
internal import MessageStorage

/// The properties of terms with a key, whatever their value.
struct TermFacts {
  enum Value {
    case text
    case time
    case id
    case word(of: [String])
    case name(QueryCompletions.Names)
    /// The name of a sender, or the name of a person that replaces the senders' names where messages are
    /// shown.
    case author
  }

  /// What a term means for sessions of assistants.
  enum SessionMeaning {
    case word(SessionWord.Sort)
    case conversation, time, state
  }

  var example: String
  var value: Value
  /// The place of the term's condition when conditions are sorted.
  var rank: Int
  /// Whether several terms with this key are alternatives.
  var areAlternatives = false
  /// Whether its results depend only on messages, and not on the time, aliases or saved filters.
  var isOfMessagesAlone = false
  /// `nil` if it does not apply to sessions.
  var ofSessions: SessionMeaning?
}

extension QueryTerm.Key {
  var facts: TermFacts {
    switch self {
    case .from: TermFacts(example: "alice", value: .author, rank: 1, areAlternatives: true)
    case .person: TermFacts(example: "NAME", value: .name(.people), rank: 2, areAlternatives: true)
    case .in:
      TermFacts(
        example: "general", value: .name(.conversations), rank: 0, areAlternatives: true,
        isOfMessagesAlone: true, ofSessions: .conversation)
    case .since, .until, .on, .before, .after:
      TermFacts(example: "2024-05", value: .time, rank: 3, ofSessions: .time)
    case .has:
      TermFacts(
        example: "link", value: .word(of: MessageQuery.things), rank: 5, isOfMessagesAlone: true)
    case .is:
      TermFacts(
        example: MessageQuery.starred, value: .word(of: MessageQuery.states), rank: 5,
        isOfMessagesAlone: true, ofSessions: .state)
    case .file:
      TermFacts(
        example: "*.pdf", value: .text, rank: 5, isOfMessagesAlone: true, ofSessions: .word(.file))
    case .forwarded: TermFacts(example: "NAME", value: .text, rank: 5, isOfMessagesAlone: true)
    case .kind:
      TermFacts(
        example: "action", value: .word(of: MessageQuery.kinds), rank: 4, areAlternatives: true,
        isOfMessagesAlone: true)
    case .thread: TermFacts(example: "ID", value: .id, rank: 6, isOfMessagesAlone: true)
    case .regex: TermFacts(example: "colou?r", value: .text, rank: 8, isOfMessagesAlone: true)
    case .filter: TermFacts(example: "NAME", value: .name(.savedFilters), rank: 9)
    case .project: .ofSession(.folder, example: "src/tea", rank: 0)
    case .branch: .ofSession(.branch, example: "main", rank: 0)
    case .model: .ofSession(.model, example: "opus", rank: 1)
    case .tool: .ofSession(.tool, example: "Bash", rank: 5)
    case .matching: TermFacts(example: "\"red tape\"", value: .text, rank: 7, isOfMessagesAlone: true)
    }
  }

  /// The keys that apply to sessions.
  package static let ofSessions: [QueryTerm.Key] = [
    .project, .branch, .model, .tool, .file, .is, .since, .until, .on, .before, .after, .in,
  ]
}

extension TermFacts {
  fileprivate static func ofSession(_ sort: SessionWord.Sort, example: String, rank: Int) -> TermFacts {
    TermFacts(
      example: example, value: .name(.sessions(sort)), rank: rank, areAlternatives: true,
      ofSessions: .word(sort))
  }
}
