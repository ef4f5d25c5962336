internal import MessageModel

struct OpenCodeMessages {
  private static let platform = "opencode"

  struct Place {
    var id: String
    var session: String
    var title: String?
    var folder: String?
    var parent: String?
    var time: Timestamp
  }

  private let options: ImportOptions
  private var current: Current?
  private var usage = TurnUsage()
  private var turn: (id: String, session: String)?

  private struct Current {
    var id: String
    var session: String
    var talk: AssistantConversation
    var time: Timestamp
    var sender: String
    var failure: String?
    /// Whether nothing of it was given, nor left out as the program's own.
    var saysNothing = true
  }

  init(_ options: ImportOptions) { self.options = options }

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
    closeTurn(into: &sink)
  }

  private mutating func take(
    _ id: String, _ data: Bytes, _ message: JSONFields, at place: Place, into sink: inout RecordSink
  ) throws(JSONError) {
    let isAnswer = try message.plainText("role") == "assistant"
    try begin(message, isAnswer: isAnswer, at: place, into: &sink)
    guard let current, !id.isEmpty else { return }
    let part = try JSONFields.reading(data)
    let all = try parts(of: part, data)
    let parts = all.filter { !$0.isEmpty }
    if all.isEmpty || !parts.isEmpty { self.current?.saysNothing = false }
    guard !parts.isEmpty else { return }
    sink.append(
      parts, at: current.time, by: current.sender,
      senderID: isAnswer ? try message.plainText("modelID") : nil, platform: Self.platform, id: id,
      original: options.keepsOriginal ? data : nil,
      conversation: sink.conversation(of: current.talk, options))
  }

  private mutating func begin(
    _ message: JSONFields, isAnswer: Bool, at place: Place, into sink: inout RecordSink
  ) throws(JSONError) {
    let (id, session) = (place.id, place.session)
    guard current?.id != id else { return }
    end(isLast: false, into: &sink)
    if !isAnswer || turn?.session != session { closeTurn(into: &sink) }
    var title = place.title
    if let parent = place.parent { title = "\(title ?? "agent") (agent of \(parent.suffix(8)))" }
    let talk = AssistantConversation(
      Self.platform, id: session, folder: place.folder, title: title, isSession: place.parent == nil)
    let error = message.object("error")
    let told = try error?.object("data")?.plainText("message")
    let name = try error?.plainText("name")
    current = Current(
      id: id, session: session, talk: talk, time: place.time,
      sender: isAnswer ? "opencode" : options.me ?? "me", failure: told ?? name)
    if !isAnswer || turn == nil { turn = (id, session) }
  }

  /// The last message may be being written: what follows is not known.
  private func end(isLast: Bool, into sink: inout RecordSink) {
    guard let current else { return }
    guard let failure = current.failure else {
      sink.append(
        current.saysNothing && !isLast ? [AssistantPart(kind: .text)] : [], at: current.time,
        by: current.sender,
        platform: Self.platform, id: current.id, conversation: sink.conversation(of: current.talk, options))
      return
    }
    sink.append(
      [AssistantPart.note("failed: \(failure)")], at: current.time, by: nil,
      platform: Self.platform, id: "\(current.id)/error",
      conversation: sink.conversation(of: current.talk, options))
  }

  private mutating func closeTurn(into sink: inout RecordSink) {
    defer { (turn, usage) = (nil, TurnUsage()) }
    guard let turn, let current, !usage.isEmpty else { return }
    sink.append(
      [usage.part], at: current.time, by: nil, platform: Self.platform, id: "\(turn.id)/usage",
      conversation: sink.conversation(of: current.talk, options))
  }

  private mutating func addUsage(_ part: JSONFields) {
    guard let tokens = part.object("tokens") else { return }
    let cache = tokens.object("cache")
    let cached = max(0, min(cache?.integer("read") ?? 0, 1 << 40))
    let written = max(0, min(cache?.integer("write") ?? 0, 1 << 40))
    let fresh = max(0, min(tokens.integer("input") ?? 0, 1 << 40))
    usage.add(
      sent: fresh + cached + written, received: tokens.integer("output"), cached: cached,
      cost: part.real("cost"))
  }

  private mutating func parts(of part: JSONFields, _ data: Bytes) throws(JSONError)
    -> [AssistantPart]
  {
    switch try part.plainText("type") ?? "" {
    case "text":
      let kind: Message.Kind = part.isTrue("synthetic") ? .system : .text
      return [try part.plainText("text").map { AssistantPart(kind: kind, text: $0) } ?? .unknown(data)]
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
