internal import MessageModel

/// Each part of a reply is a record with the tokens and costs of the reply so far.
struct ClaudeCodeUsage {
  struct Amounts {
    var sent: Int64 = 0
    var cached: Int64 = 0
    var written: Int64 = 0
    var received: Int64 = 0
    /// In millionths of a dollar.
    var cost: Int64 = 0

    var isEmpty: Bool { sent == 0 && received == 0 && cost == 0 }

    fileprivate func more(than before: Amounts) -> Amounts {
      Amounts(
        sent: max(sent - before.sent, 0), cached: max(cached - before.cached, 0),
        written: max(written - before.written, 0), received: max(received - before.received, 0),
        cost: max(cost - before.cost, 0))
    }

    fileprivate mutating func add(_ other: Amounts) {
      sent = sent.adding(other.sent)
      cached = cached.adding(other.cached)
      written = written.adding(other.written)
      received = received.adding(other.received)
      cost = cost.adding(other.cost)
    }
  }

  private var notes: [String: SessionNote] = [:]
  private var counted: [UInt64: Amounts] = [:]
  /// What records without content added, which the next record of a reply has.
  private var waiting = Amounts()

  private static let mostSessions = 256
  private static let mostAnswers = 4_096

  mutating func take(
    _ record: JSONFields, _ message: JSONFields?, isOnSide: Bool
  ) throws(JSONError) {
    var added: (amounts: Amounts, hasCost: Bool)?
    // A forked session has copies, which were counted in the first one.
    if let message, let usage = message.object("usage"), record["forkedFrom"] == nil {
      added = try more(usage, of: message, record)
    }
    if let added { waiting.add(added.amounts) }
    guard !isOnSide, let session = try record.plainText("sessionId") else { return }
    if notes[session] == nil, notes.count >= Self.mostSessions { notes = [:] }
    var note = notes[session] ?? SessionNote()
    // A session is resumed where it began.
    if note.folder == nil { note.folder = try record.plainText("cwd") }
    if let branch = try record.plainText("gitBranch"), !branch.isEmpty { note.branch = branch }
    if let (amounts, hasCost) = added {
      note.add(
        sent: amounts.sent, cached: amounts.cached, received: amounts.received,
        cost: hasCost ? amounts.cost : nil)
    }
    notes[session] = note
  }

  /// Returns what a record adds to what its reply has reported before.
  private mutating func more(
    _ usage: JSONFields, of message: JSONFields, _ record: JSONFields
  ) throws(JSONError) -> (amounts: Amounts, hasCost: Bool) {
    var amounts = Amounts()
    amounts.cached = Self.count(usage, "cache_read_input_tokens")
    amounts.written = Self.count(usage, "cache_creation_input_tokens")
    amounts.sent = amounts.cached.adding(amounts.written).adding(Self.count(usage, "input_tokens"))
    amounts.received = Self.count(usage, "output_tokens")
    let (answer, own) = (try message.plainText("id"), try record.plainText("uuid"))
    let id = FNVHash.of(answer ?? own ?? "")
    let known = counted[id]
    let cost = known == nil ? Self.cost(record) : nil
    if counted.count >= Self.mostAnswers { counted = [:] }
    counted[id] = amounts
    var added = amounts.more(than: known ?? Amounts())
    added.cost = cost ?? 0
    return (added, cost != nil)
  }

  private static func count(_ usage: JSONFields, _ key: String) -> Int64 { max(usage.integer(key) ?? 0, 0) }

  private static func cost(_ record: JSONFields) -> Int64? {
    record.real("costUSD").flatMap { $0 >= 0 && $0 < 1e12 ? Int64(($0 * 1e6).rounded()) : nil }
  }

  func note(of session: String) -> SessionNote { notes[session] ?? SessionNote() }

  /// Returns what records added since it was asked last.
  mutating func given() -> Amounts {
    defer { waiting = Amounts() }
    return waiting
  }
}

/// What replies used since the last prompt of their conversation.
struct ClaudeCodeTurns {
  private struct Turn {
    var talk: AssistantConversation
    var model: String?
    var isOnSide: Bool
    /// The id of the first record.
    var id: String
    /// The time of the last record.
    var time: Timestamp
    var usage = TurnUsage()
  }

  private var turns: [Turn] = []

  private static let most = 1_024

  mutating func add(
    _ amounts: ClaudeCodeUsage.Amounts, of record: ClaudeCodeRecord, _ model: String?,
    in talk: AssistantConversation, at time: Timestamp
  ) {
    guard !amounts.isEmpty else { return }
    let known = turns.firstIndex { $0.talk.key == talk.key && $0.model == model }
    guard let index = known ?? (turns.count < Self.most ? turns.count : nil) else { return }
    if index == turns.count {
      var talk = talk
      // What is known of the session comes with its records.
      talk.note = nil
      turns.append(Turn(talk: talk, model: model, isOnSide: record.isOnSide, id: record.id, time: time))
    }
    turns[index].time = time
    turns[index].usage.add(
      sent: amounts.sent, received: amounts.received, cached: amounts.cached, written: amounts.written,
      cost: Double(amounts.cost) / 1e6)
  }

  /// Ends the turns before a prompt: that of its conversation and, unless an agent gets it, of all others but those
  /// of agents.
  mutating func end(
    before prompt: ClaudeCodeRecord, in talk: AssistantConversation, by reader: AssistantReader,
    into sink: inout RecordSink
  ) {
    end(by: reader, into: &sink) { $0.talk.key == talk.key || !$0.isOnSide && !prompt.isOnSide }
  }

  /// Ends the turn of a conversation.
  mutating func end(
    in talk: AssistantConversation, by reader: AssistantReader, into sink: inout RecordSink
  ) {
    end(by: reader, into: &sink) { $0.talk.key == talk.key }
  }

  mutating func endAll(by reader: AssistantReader, into sink: inout RecordSink) {
    end(by: reader, into: &sink) { _ in true }
  }

  private mutating func end(
    by reader: AssistantReader, into sink: inout RecordSink, where isEnded: (Turn) -> Bool
  ) {
    guard !turns.isEmpty else { return }
    for turn in turns where isEnded(turn) && !turn.usage.isEmpty {
      reader.append(
        [turn.usage.part(of: turn.model)], at: turn.time, id: "\(turn.id)/usage", in: turn.talk, into: &sink)
    }
    turns.removeAll(where: isEnded)
  }
}
