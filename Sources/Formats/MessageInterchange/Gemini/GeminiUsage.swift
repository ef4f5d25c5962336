internal import MessageModel

/// Sums the tokens of the replies to a prompt, which single messages state.
struct GeminiUsage {
  private var usage = TurnUsage()
  private var turn: (id: String, talk: AssistantTalk)?
  /// The last message with tokens: one that changes is written again with its total.
  private var message: (id: String, sent: Int64, received: Int64, cached: Int64)?
  private var last: Timestamp?

  mutating func begin(_ id: String, _ talk: AssistantTalk) { turn = (id, talk) }

  mutating func note(_ tokens: JSONFields?, of id: String, at time: Timestamp) {
    guard let tokens else { return }
    func count(_ key: String) -> Int64 { max(0, min(tokens.integer(key) ?? 0, 1 << 40)) }
    if message?.id != id { addMessage() }
    message = (id, count("input"), count("output") + count("thoughts"), count("cached"))
    last = time
  }

  private mutating func addMessage() {
    guard let message else { return }
    usage.add(sent: message.sent, received: message.received, cached: message.cached)
    self.message = nil
  }

  mutating func end() -> (part: AssistantPart, time: Timestamp, key: String, talk: AssistantTalk)? {
    addMessage()
    defer { (usage, turn, last) = (TurnUsage(), nil, nil) }
    guard let turn, let last, !usage.isEmpty else { return nil }
    return (usage.part, last, turn.id, turn.talk)
  }
}
