internal import MessageModel

/// What the readers of assistants do alike: they name who speaks, keep originals, and end a turn with what it used.
struct AssistantReader {
  enum Speaker {
    case me
    case assistant(model: String? = nil)
    case named(String?, model: String? = nil)
    /// The program itself, or a tool that its part names.
    case program
  }

  let platform: String
  let options: ImportOptions
  /// The name of the assistant.
  var assistant: String
  /// What the replies of the turn used so far.
  var usage = TurnUsage()
  /// The time of the last record.
  var last: Timestamp?
  private var turn: (id: String, conversation: AssistantConversation)?
  private var parts: [String: AssistantConversation] = [:]

  private static let mostParts = 65_536

  init(_ platform: String, assistant: String, _ options: ImportOptions) {
    self.platform = platform
    self.assistant = assistant
    self.options = options
  }

  /// Appends the parts of a record. `original` is kept if that is wished; `home` is the conversation whose
  /// branches share ids and may hold copies of the record.
  func append(
    _ parts: [AssistantPart], at time: Timestamp, precision: TimePrecision = .millisecond,
    by speaker: Speaker = .program, id: String, original: Bytes? = nil,
    in conversation: AssistantConversation,
    copiedWithin home: AssistantConversation? = nil, into sink: inout RecordSink
  ) {
    guard !parts.isEmpty else { return }
    let (sender, model): (String?, String?) =
      switch speaker {
      case .me: (me, nil)
      case .assistant(let model): (assistant, model)
      case .named(let name, let model): (name, model)
      case .program: (nil, nil)
      }
    sink.append(
      parts, at: time, precision: precision, by: sender, senderID: model, platform: platform, id: id,
      copiedWithin: home?.identity, original: options.keepsOriginal ? original : nil,
      conversation: sink.conversation(of: conversation, options))
  }

  var me: String { options.me ?? "me" }

  // MARK: Turns

  /// Ends the turn before, at `time`, and begins that of the question `id`.
  mutating func beginTurn(
    _ id: String, in conversation: AssistantConversation, at time: Timestamp? = nil,
    into sink: inout RecordSink
  ) {
    endTurn(at: time, into: &sink)
    turn = (id, conversation)
  }

  /// Appends what the turn used, at the time of the last record unless another is given.
  mutating func endTurn(at time: Timestamp? = nil, into sink: inout RecordSink) {
    guard let turn, let time = time ?? last, !usage.isEmpty else { return }
    append([usage.part], at: time, id: "\(turn.id)/usage", in: turn.conversation, into: &sink)
    usage = TurnUsage()
  }

  // MARK: Conversations beside the session

  /// The messages that were left behind when the user went back, from `first` on.
  mutating func leftBehind(
    _ first: String, title: String?, of trunk: AssistantConversation
  ) -> AssistantConversation {
    part("\(trunk.key)/\(first)") { AssistantConversation("left behind", of: trunk, id: first, title: title) }
  }

  /// What an agent does in a session; it is a session of its own where the program can continue it.
  mutating func agent(
    _ id: String, called name: String, of session: String, isSession: Bool = false
  ) -> AssistantConversation {
    let platform = platform
    return part("\(platform):\(session)/\(id)") {
      AssistantConversation(
        platform, id: "\(session)/\(id)", title: "\(name) (agent of \(session.prefix(8)))",
        isSession: isSession)
    }
  }

  private mutating func part(_ key: String, _ make: () -> AssistantConversation) -> AssistantConversation {
    if let known = parts[key] { return known }
    if parts.count >= Self.mostParts { parts = [:] }
    let made = make()
    parts[key] = made
    return made
  }
}
