internal import MessageModel

/// The tokens of a session, of which events give totals: those of a turn are what these have grown by.
struct CodexUsage {
  private struct Counts {
    var sent: Int64 = 0
    var cached: Int64 = 0
    var received: Int64 = 0
  }

  private var total = Counts()
  /// The total that a forked session begins with.
  private var base = Counts()
  private var turn = TurnUsage()
  /// The line of the turn's first event, and the time of its last.
  private var place: (line: Int, time: Timestamp)?

  /// - Parameter isCopy: Whether the event is of the session that this one was forked from.
  mutating func take(
    _ event: JSONFields, isCopy: Bool, at time: Timestamp, line: Int, noting note: inout SessionNote?
  ) {
    guard let fields = event.object("info")?.object("total_token_usage") else { return }
    let now = Counts(
      sent: Self.count(fields, "input_tokens"), cached: Self.count(fields, "cached_input_tokens"),
      received: Self.count(fields, "output_tokens"))
    // A program that starts again may count from zero.
    let before = now.sent < total.sent || now.received < total.received ? Counts() : total
    if isCopy {
      base = now
    } else {
      turn.add(
        sent: now.sent - before.sent, received: now.received - before.received,
        cached: max(now.cached - before.cached, 0))
      place = (place?.line ?? line, time)
    }
    total = now
    note?.sentTokens = fields.integer("input_tokens").map { max($0 - base.sent, 0) }
    note?.cachedTokens = fields.integer("cached_input_tokens").map { max($0 - base.cached, 0) }
    note?.receivedTokens = fields.integer("output_tokens").map { max($0 - base.received, 0) }
  }

  private static func count(_ fields: JSONFields, _ key: String) -> Int64 { max(fields.integer(key) ?? 0, 0) }

  /// Ends the turn, and returns what it used; `nil` for nothing.
  mutating func endTurn(of model: String?) -> (part: AssistantPart, line: Int, time: Timestamp)? {
    defer { (turn, place) = (TurnUsage(), nil) }
    guard let place, !turn.isEmpty else { return nil }
    return (turn.part(of: model), place.line, place.time)
  }
}
