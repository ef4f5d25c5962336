internal import MessageModel

struct OpenCodeMessages {
  struct Place {
    var id: String
    var session: String
    var title: String?
    var folder: String?
    var parent: String?
    var time: Timestamp
    var revert: Revert?
  }

  /// From where on the user took a session back. The program deletes it with the next prompt.
  struct Revert {
    private let message: String
    private let part: String?

    init?(_ fields: JSONFields) {
      guard let message = try? fields.plainText("messageID") else { return nil }
      self.message = message
      part = (try? fields.plainText("partID")) ?? nil
    }

    func covers(_ message: String, part: String) -> Bool {
      if message != self.message { return message > self.message }
      return self.part.map { part >= $0 } ?? true
    }
  }

  private var reader: AssistantReader
  private var current: Current?

  private struct Current {
    var id: String
    var session: String
    var talk: AssistantConversation
    var time: Timestamp
    var speaker: AssistantReader.Speaker
    var failure: String?
    /// Whether it is the program's summary in place of what was before.
    var isSummary: Bool
    /// Whether nothing of it was given, nor left out as the program's own.
    var saysNothing = true
    var hasParts = false
  }

  init(_ options: ImportOptions) { reader = AssistantReader("opencode", assistant: "opencode", options) }

  /// Takes a part of a message. The parts of one message come in succession; for a message without parts,
  /// `id` is empty. `facts` are the fields of the message.
  mutating func take(
    part id: String, _ data: [UInt8], of facts: [UInt8], at place: Place, into sink: inout RecordSink
  ) {
    data.withUnsafeBytes { data in
      facts.withUnsafeBytes { facts in
        do throws(JSONError) {
          guard UTF8Check.isValid(data), UTF8Check.isValid(facts) else {
            throw JSONError(reason: "it is not UTF-8")
          }
          try take(id, data, try JSONFields.reading(facts), at: place, into: &sink)
        } catch {
          let name = id.isEmpty ? "message \(place.id)" : "part \(id)"
          sink.skip(reason: "\(name): \(error.reason)", record: data)
        }
      }
    }
  }

  mutating func finish(into sink: inout RecordSink) {
    end(isLast: true, into: &sink)
    reader.endTurn(at: current?.time, into: &sink)
  }

  private mutating func take(
    _ id: String, _ data: Bytes, _ message: JSONFields, at place: Place, into sink: inout RecordSink
  ) throws(JSONError) {
    let isAnswer = try message.plainText("role") == "assistant"
    try begin(message, isAnswer: isAnswer, at: place, into: &sink)
    guard let current, !id.isEmpty else { return }
    self.current?.hasParts = true
    let part = try JSONFields.reading(data)
    let all = try parts(of: part, data)
    var parts = all.filter { !$0.isEmpty }
    if current.isSummary {
      for index in parts.indices where parts[index].kind == .text { parts[index].becomeNote() }
    }
    if all.isEmpty || !parts.isEmpty { self.current?.saysNothing = false }
    guard !parts.isEmpty else { return }
    let isReverted = place.revert?.covers(place.id, part: id) ?? false
    let talk =
      isReverted ? reader.leftBehind("reverted", title: "reverted", of: current.talk) : current.talk
    reader.append(
      parts, at: current.time, by: current.speaker, id: id, original: data, in: talk, into: &sink)
  }

  private mutating func begin(
    _ message: JSONFields, isAnswer: Bool, at place: Place, into sink: inout RecordSink
  ) throws(JSONError) {
    let (id, session) = (place.id, place.session)
    guard current?.id != id else { return }
    end(isLast: false, into: &sink)
    let talk = AssistantConversation(
      reader.platform, id: session, folder: place.folder, title: place.title,
      agentOf: place.parent?.suffix(8))
    let error = message.object("error")
    let told = try error?.object("data")?.plainText("message")
    let name = try error?.plainText("name")
    if !isAnswer || current?.session != session {
      reader.beginTurn(id, in: talk, at: current?.time, into: &sink)
    }
    let isInterrupted = name == "MessageAbortedError"
    current = Current(
      id: id, session: session, talk: talk, time: place.time,
      speaker: isAnswer ? .assistant(model: try message.plainText("modelID")) : .me,
      failure: isInterrupted ? "interrupted" : (told ?? name).map { "failed: \($0)" },
      isSummary: isAnswer && message.isTrue("summary"))
  }

  /// The last message may be being written: what follows is not known.
  private func end(isLast: Bool, into sink: inout RecordSink) {
    guard let current else { return }
    guard let failure = current.failure else {
      guard current.saysNothing, !isLast else { return }
      // A damaged database may have lost them.
      guard current.hasParts else { return sink.skip(reason: "message \(current.id): it has no parts") }
      return reader.append(
        [AssistantPart(kind: .text)], at: current.time, by: current.speaker, id: current.id, in: current.talk,
        into: &sink)
    }
    reader.append(
      [.note(failure)], at: current.time, id: "\(current.id)/error", in: current.talk,
      into: &sink)
  }

  private mutating func addUsage(_ part: JSONFields) {
    guard let tokens = part.object("tokens") else { return }
    let cache = tokens.object("cache")
    reader.usage.add(
      fresh: tokens.integer("input"), cached: cache?.integer("read"), written: cache?.integer("write"),
      received: tokens.integer("output"), cost: part.real("cost"))
  }

  private mutating func parts(of part: JSONFields, _ data: Bytes) throws(JSONError)
    -> [AssistantPart]
  {
    switch try part.plainText("type") ?? "" {
    case "text":
      guard let text = try part.plainText("text") else { return [.unknown(data)] }
      return [part.isTrue("synthetic") ? .note(text) : AssistantPart(kind: .text, text: text)]
    case "reasoning":
      return [try part.plainText("text").map { AssistantPart(kind: .thinking, text: $0) } ?? .unknown(data)]
    case "file":
      var file = AssistantPart(kind: .text)
      file.attach(addressed: try part.plainText("url") ?? "")
      if let name = try part.plainText("filename") { file.attachments[0].name = name }
      return [file]
    case "tool":
      let name = try part.plainText("tool") ?? "tool"
      let state = part.object("state") ?? JSONFields()
      var result = AssistantPart(kind: .result)
      result.tool = name
      if let error = try state.plainText("error") {
        result.text = "failed: \(error)"
      } else {
        result.text = try state.plainText("output") ?? ""
        if try state.plainText("status") == "completed" { result = result.ended() }
      }
      return [
        AssistantPart(kind: .tool, text: try AssistantText.call(name, state["input"])), result,
      ]
    case "step-finish":
      addUsage(part)
      return []
    case "compaction": return [AssistantPart.note("context compacted")]
    case "retry":
      let reason = try part.object("error")?.firstText(["message"])
      let told = try part.object("error")?.object("data")?.plainText("message")
      return [
        AssistantPart.note("failed: \(told ?? reason ?? "the request"), tried again")
      ]
    case "patch":
      let files = try part.strings("files")
      guard !files.isEmpty else { return [] }
      return [
        AssistantPart.note("files changed:\n\(files.joined(separator: "\n"))")
      ]
    case "subtask":
      var lines = ["task"]
      for key in ["agent", "description", "command", "prompt"] {
        if let text = try part.plainText(key) { lines.append("\(key): \(text)") }
      }
      return [AssistantPart(kind: .tool, text: lines.joined(separator: "\n"))]
    case "step-start", "snapshot", "agent": return []
    default: return [.unknown(data)]
    }
  }
}
