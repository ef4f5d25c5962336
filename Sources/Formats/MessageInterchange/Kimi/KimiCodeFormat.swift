internal import MessageModel

/// Kimi Code's sessions, `~/.kimi-code/sessions/*/SESSION/agents/AGENT/wire.jsonl`: a line per event of an agent. Versions
/// 1.0 to 1.5 of the protocol are in <https://github.com/MoonshotAI/kimi-code>, `packages/agent-core-v2/docs/wire-manifest.d.ts`.
extension KimiCodeHistory {
  private static let types: Set<String> = [
    "context.append_message", "context.append_loop_event", "context.apply_compaction", "turn.prompt",
    "config.update", "profile.bind",
  ]

  static func isOurs(_ record: JSONFields) -> Bool {
    guard record["time"] != nil, let type = try? record.plainText("type") else { return false }
    return types.contains(type)
  }

  /// Whether a file called `wire.jsonl` is one of Kimi Code's, not of Kimi CLI's, which has the same first line.
  static func fits(_ file: InputFile) -> Bool {
    if file.folder.dropLast().last == "agents" { return true }
    return Transcript(file).first { isOurs($0) ? true : $0["message"] == nil ? nil : false } ?? false
  }

  /// A file in the folder of a session.
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    if sample.name == "session_index.jsonl" { return sample.has("\"sessionDir\"") }
    guard sample.name != "wire.jsonl",
      let place = sample.folder.lastIndex(where: { $0.hasPrefix("session_") })
    else { return false }
    return companions.hasBeside("wire.jsonl", in: sample.folder[...place] + ["agents", "main"])
  }
}

/// What the first message needs from the rest of the file: folder, title and what was undone.
struct KimiCodeOutline {
  private(set) var folder: String?
  private(set) var profile: String?
  private(set) var asked: String?
  private var undone: [Undone] = []
  /// The prompts before which the user may go back.
  private var anchors: [Prompt] = []
  /// Whether the model was not told of the last prompt yet.
  private var isGiven = false

  private struct Prompt {
    /// In milliseconds.
    let time: Int64
    let title: String?
  }

  /// What was said from a prompt until the user went back before it.
  private struct Undone {
    let first: Prompt
    let end: Int64
  }

  private static let most = 65_536

  init(of file: InputFile) {
    Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    anchors = []
  }

  func branch(at time: Timestamp) -> (id: String, title: String?)? {
    let time = time.millisecondsSince1970
    let found = undone.first { ($0.first.time..<$0.end).contains(time) }
    return found.map { ("undone-\($0.first.time)", $0.first.title) }
  }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let time = fields.integer("time") ?? 0
    switch try fields.plainText("type") ?? "" {
    case "config.update", "profile.bind":
      let disclosed = try fields.object("environmentDisclosure")?.plainText("cwd")
      folder = try fields.plainText("cwd") ?? disclosed ?? folder
      profile = try fields.plainText("profileName") ?? profile
    case "turn.prompt", "turn.steer":
      guard let prompt = try KimiCodeText.prompt(fields) else { return }
      isGiven = true
      take(AssistantConversation.title(prompt), at: time)
    case "turn.cancel":
      guard isGiven, try fields.plainText("target") == "queued" else { return }
      isGiven = false
      anchors.removeLast(min(1, anchors.count))
    case "context.append_message":
      guard let message = fields.object("message"), try message.plainText("role") == "user",
        try KimiCodeText.isAsked(message.object("origin"))
      else { return }
      if !isGiven {
        take(AssistantConversation.title(try KimiContent.said(message["content"]).text), at: time)
      }
      isGiven = false
    case "context.undo":
      let count = Int(clamping: fields.integer("count") ?? 1)
      if let first = anchors.suffix(max(count, 0)).first { undone.append(Undone(first: first, end: time)) }
      anchors.removeLast(min(max(count, 0), anchors.count))
    case "context.clear", "context.apply_compaction": anchors = []
    case "context.append_loop_event": isGiven = false
    default: break
    }
  }

  private mutating func take(_ title: String?, at time: Int64) {
    asked = asked ?? title
    if anchors.count < Self.most { anchors.append(Prompt(time: time, title: title)) }
  }
}

enum KimiCodeText {
  /// Whether the user asked, not the program in the user's place.
  static func isAsked(_ origin: JSONFields?) throws(JSONError) -> Bool {
    guard let origin else { return true }
    let kind = try origin.plainText("kind") ?? "user"
    let trigger = try origin.plainText("trigger")
    return kind == "user" || trigger == "user-slash"
  }

  /// The prompt that began or steered a turn; `nil` if the program gave it.
  static func prompt(_ fields: JSONFields) throws(JSONError) -> String? {
    let origin = fields.object("origin")
    guard try isAsked(origin) else { return nil }
    guard let name = try origin?.firstText(["skillName", "commandName"]) else {
      return try KimiContent.said(fields["input"]).text
    }
    let arguments = try origin?.firstText(["skillArgs", "commandArgs"]) ?? ""
    return arguments.isEmpty ? "/\(name)" : "/\(name) \(arguments)"
  }
}
