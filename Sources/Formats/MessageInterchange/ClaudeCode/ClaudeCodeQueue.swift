internal import MessageModel

/// The prompts typed while Claude is at work, by records of the type `queue-operation`. `enqueue` has the text;
/// `dequeue`, `remove` and `popAll` mostly name none, and say the same of prompts that were read and withdrawn.
/// What was read follows as a prompt of the session or as an attachment `queued_command`, and only that counts.
struct ClaudeCodeQueue {
  struct Prompt {
    /// The id of the record, which has none of its own.
    let id: String
    let session: String
    let content: Bytes
    fileprivate let text: String

    /// `nil` for what the program itself queues.
    init?(_ record: JSONFields) throws(JSONError) {
      guard let content = record["content"], let session = try record.plainText("sessionId"),
        let text = try ClaudeCodeQueue.text(of: content)
      else { throw JSONError(reason: "it has no text") }
      guard !text.isOfProgram else { return nil }
      let written = try record.plainText("timestamp") ?? ""
      (self.session, self.content, self.text) = (session, content, text.text.trimmed)
      let hash = String(FNVHash.of("\(written) \(self.text)"), radix: 36)
      id = "\(TypedPrompt.Place.queue.prefix)\(session)/\(hash)"
    }
  }

  enum Operation: String {
    case enqueue, dequeue, remove, popAll
  }

  /// `nil` for an operation of a later version.
  static func operation(of record: JSONFields) throws(JSONError) -> Operation? {
    try record.plainText("operation").flatMap(Operation.init(rawValue:))
  }

  private struct Waiting {
    let id: String
    let text: String
    let time: Timestamp?
  }

  private var waiting: [String: [Waiting]] = [:]
  /// The ids of the prompts that the session has.
  private(set) var read: Set<String> = []

  private static let mostSessions = 256
  private static let mostWaiting = 1_024

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ prompt: Prompt, at time: Timestamp? = nil) {
    if waiting.count >= Self.mostSessions, waiting[prompt.session] == nil { waiting = [:] }
    waiting[prompt.session, default: []].append(Waiting(id: prompt.id, text: prompt.text, time: time))
    if waiting[prompt.session]?.count ?? 0 > Self.mostWaiting { waiting[prompt.session]?.removeFirst() }
  }

  /// Removes the first prompt of this text, which the session now has. Returns when it was queued.
  @discardableResult
  mutating func take(_ text: String, of session: String) -> Timestamp? {
    let text = text.trimmed
    guard let place = waiting[session]?.firstIndex(where: { $0.text == text }),
      let taken = waiting[session]?.remove(at: place)
    else { return nil }
    if waiting[session]?.isEmpty == true { waiting[session] = nil }
    read.insert(taken.id)
    return taken.time
  }

  /// Removes the prompt that a record of the session has.
  mutating func take(_ record: JSONFields, of session: String) throws(JSONError) {
    var content: Bytes?
    switch try record.plainText("type") {
    case "user": content = record.object("message")?["content"]
    case "attachment":
      let attachment = record.object("attachment")
      if try attachment?.plainText("type") == "queued_command" { content = attachment?["prompt"] }
    default: break
    }
    guard let content, let text = try Self.text(of: content) else { return }
    take(text.text, of: session)
  }

  private static func text(of content: Bytes) throws(JSONError) -> ClaudeCodeText? {
    var tools = ToolNames()
    let parts = try AnthropicContent(content, &tools).parts
    return parts.first { $0.kind == .text && !$0.text.allSatisfy(\.isWhitespace) }.map {
      ClaudeCodeText($0.text)
    }
  }
}
