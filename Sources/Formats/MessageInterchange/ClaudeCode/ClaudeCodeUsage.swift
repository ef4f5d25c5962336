internal import MessageModel

/// Sums the tokens and costs of sessions.
///
/// Each part of a reply is a record with the amounts of the reply so far.
struct ClaudeCodeUsage {
  private var notes: [String: SessionNote] = [:]
  private var counted: [UInt64: Amounts] = [:]

  private struct Amounts {
    var (sent, cached, received): (Int64, Int64, Int64) = (0, 0, 0)
  }

  private static let mostSessions = 256
  private static let mostAnswers = 4_096

  mutating func take(_ record: JSONFields, _ message: JSONFields?) throws(JSONError) {
    guard let session = try record.plainText("sessionId") else { return }
    if notes[session] == nil, notes.count >= Self.mostSessions { notes = [:] }
    var note = notes[session] ?? SessionNote()
    // A session is resumed where it began.
    if note.folder == nil { note.folder = try record.plainText("cwd") }
    if let branch = try record.plainText("gitBranch"), !branch.isEmpty { note.branch = branch }
    if let message, let usage = message.object("usage") {
      try add(usage, of: message, record, to: &note)
    }
    notes[session] = note
  }

  private mutating func add(
    _ usage: JSONFields, of message: JSONFields, _ record: JSONFields, to note: inout SessionNote
  ) throws(JSONError) {
    var amounts = Amounts()
    amounts.cached = Self.count(usage, "cache_read_input_tokens")
    amounts.sent = amounts.cached
    for key in ["input_tokens", "cache_creation_input_tokens"] {
      amounts.sent = amounts.sent.adding(Self.count(usage, key))
    }
    amounts.received = Self.count(usage, "output_tokens")
    let (answer, own) = (try message.plainText("id"), try record.plainText("uuid"))
    let id = FNVHash.of(answer ?? own ?? "")
    let known = counted[id]
    let before = known ?? Amounts()
    note.add(
      sent: max(amounts.sent - before.sent, 0), cached: max(amounts.cached - before.cached, 0),
      received: max(amounts.received - before.received, 0), cost: known == nil ? Self.cost(record) : nil)
    if counted.count >= Self.mostAnswers { counted = [:] }
    counted[id] = amounts
  }

  private static func count(_ usage: JSONFields, _ key: String) -> Int64 { max(usage.integer(key) ?? 0, 0) }

  private static func cost(_ record: JSONFields) -> Int64? {
    record.real("costUSD").flatMap { $0 >= 0 && $0 < 1e12 ? Int64(($0 * 1e6).rounded()) : nil }
  }

  func note(of session: String) -> SessionNote { notes[session] ?? SessionNote() }
}
