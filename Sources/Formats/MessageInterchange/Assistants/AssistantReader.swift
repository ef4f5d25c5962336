internal import MessageModel

/// What the readers of assistants do alike: they name who speaks, keep originals, and end a turn with what it used.
struct AssistantReader {
  enum Speaker {
    case me
    case assistant(model: String? = nil)
    case named(String?, model: String? = nil)
    /// The program itself, or a tool that its part names.
    case program

    var isMe: Bool { if case .me = self { true } else { false } }
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

  /// Appends the parts of a record as consecutive messages of one time, without blank ones; if all parts are
  /// empty, the first one is named by its word. The second part's id is `id/2`; the first message gets
  /// `original`, if originals are kept. `prompt` recognises other records of what was typed. `home` is the
  /// conversation whose branches share ids and may hold copies.
  func append(
    _ parts: [AssistantPart], at time: Timestamp, precision: TimePrecision = .millisecond,
    by speaker: Speaker = .program, id: String, original: Bytes? = nil,
    prompt: TypedPrompt? = nil, in conversation: AssistantConversation,
    copiedWithin home: AssistantConversation? = nil, into sink: inout RecordSink
  ) {
    guard !parts.isEmpty else { return }
    let index = sink.conversation(of: conversation, options)
    var original = options.keepsOriginal ? original : nil
    var (number, endCount) = (0, 0)
    let isNamedOnly = parts.allSatisfy(\.isEmpty)
    for part in isNamedOnly ? parts.prefix(1) : parts[...] {
      if part.isEndAlone { endCount += 1 } else { number += 1 }
      if part.isBlank, !isNamedOnly { continue }
      var message = message(part, at: time, precision, by: speaker, isOfAgent: conversation.isOfAgent)
      message.details.copiedWithin = home?.identity
      if part.isTyped { message.details.prompt = prompt }
      message.details.source = Message.Source(
        platform: platform,
        id: part.isEndAlone ? "\(id)/end-\(endCount)" : number == 1 ? id : "\(id)/\(number)",
        original: original?.string)
      original = nil
      sink.append(message, conversation: index)
    }
  }

  private func message(
    _ part: AssistantPart, at time: Timestamp, _ precision: TimePrecision, by speaker: Speaker,
    isOfAgent: Bool
  ) -> RichMessage {
    let (sender, model): (String?, String?) =
      switch speaker {
      case _ where part.isNote: (nil, nil)
      case _ where part.tool != nil: (part.tool, nil)
      // An agent is asked by the assistant.
      case .me: (isOfAgent ? assistant : me, nil)
      case .assistant(let model): (assistant, model)
      case .named(let name, let model): (name, model)
      case .program: (nil, nil)
      }
    var message = RichMessage(
      time: time, precision: precision, kind: part.kind, sender: sender, text: part.text)
    message.word = part.word
    message.details.senderID = model
    message.details.attachments = part.attachments
    message.details.contents = part.contents
    return message
  }

  var me: String { options.me ?? "me" }

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
    guard turn != nil, time ?? last != nil else { return }
    noteUsage(at: time, into: &sink)
    usage = TurnUsage()
  }

  /// Appends what the turn used so far. Of a session that is followed nothing may come after the last turn.
  func noteUsage(at time: Timestamp? = nil, into sink: inout RecordSink) {
    guard let turn, let time = time ?? last, !usage.isEmpty else { return }
    append([usage.part], at: time, id: "\(turn.id)/usage", in: turn.conversation, into: &sink)
  }

  /// The messages that were left behind when the user went back, from `first` on.
  mutating func leftBehind(
    _ first: String, title: String?, of trunk: AssistantConversation
  ) -> AssistantConversation {
    part("\(trunk.key)/\(first)") { AssistantConversation("left behind", of: trunk, id: first, title: title) }
  }

  /// What an agent does in a session.
  mutating func agent(_ id: String, called name: String, of session: String) -> AssistantConversation {
    let platform = platform
    return part("\(platform):\(session)/\(id)") {
      AssistantConversation(
        platform, id: "\(session)/\(id)",
        title: name,
        agentOf: (session.split(separator: "_").last ?? "").prefix(8))
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
