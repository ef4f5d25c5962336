internal import MessageModel

/// Tasks of Cline, Roo Code and Kilo Code, a folder each: the model's conversation
/// (`api_conversation_history.json`), or if that is missing, what the window showed (`ui_messages.json`).
extension ClineTask {
  private static let historyName = "api_conversation_history.json"
  private static let windowName = "ui_messages.json"
  static let historyNames = [historyName, "claude_messages.json"]

  static func isWindow(_ sample: FormatSample) -> Bool {
    guard !historyNames.contains(sample.name), sample.firstSign == UInt8(ascii: "["), sample.has("\"ts\"")
    else { return false }
    return windowTypes.contains { sample.has($0) }
  }

  private static let windowTypes: [StaticString] = [
    "\"type\":\"say\"", "\"type\": \"say\"", "\"type\":\"ask\"", "\"type\": \"ask\"",
  ]

  /// Files of a task without messages, or with messages that the history also has.
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    switch sample.name {
    case windowName:
      return isWindow(sample) && companions.hasBeside(historyName, in: sample.folder)
    case "task_metadata.json": return sample.has("\"files_in_context\"") || sample.has("\"model_usage\"")
    case "history_item.json": return sample.has("\"tokensIn\"") && sample.has("\"task\"")
    case "taskHistory.json": return sample.has("\"tokensIn\"") && sample.has("\"task\"")
    case "context_history.json": return sample.folder.dropLast().last == "tasks"
    default: return false
    }
  }
}

/// A task's identity, and facts in the files beside its history.
struct ClineTask {
  static let platform = "cline"

  let id: String
  let start: Timestamp?
  /// In Roo Code, the task that started it.
  private(set) var parent: String?
  private(set) var folder: String?
  /// Times of entries without one, from the window's messages.
  private(set) var times: [Int: Timestamp] = [:]

  private static let mostTimes = 1 << 20

  init(of file: InputFile) {
    id = file.folder.last ?? file.name
    start = Int64(id).flatMap { (1_500_000_000_000..<4_000_000_000_000).contains($0) ? $0 : nil }
      .map { Timestamp(millisecondsSince1970: $0) }
    readFacts(beside: file)
    if file.name != Self.windowName { readTimes(beside: file) }
  }

  private mutating func readFacts(beside file: InputFile) {
    file.facts(in: "history_item.json")?.withUnsafeBytes { bytes in
      guard let facts = JSONFields(bytes) else { return }
      parent = try? facts.plainText("parentTaskId")
      folder = try? facts.plainText("workspace")
    }
  }

  private mutating func readTimes(beside file: InputFile) {
    guard let path = FileSurroundings(file)?.file(Self.windowName),
      let producer = try? FileProducer(path: path)
    else { return }
    var stream = JSONStream(ByteSource(producer))
    while times.count < Self.mostTimes, let next = try? stream.nextValue({ $0.isEmpty }),
      case .value(let value, _) = next
    {
      guard let shown = JSONFields(value), let time = shown.integer("ts"), time > 0,
        let index = shown.integer("conversationHistoryIndex").flatMap({ Int(exactly: $0) })
      else { continue }
      if times[index + 1] == nil { times[index + 1] = Timestamp(millisecondsSince1970: time) }
    }
  }

  func talk(in folder: String?, title: String?) -> AssistantConversation {
    AssistantConversation(
      Self.platform, id: id, folder: self.folder ?? folder,
      title: title.flatMap { AssistantConversation.title($0) }, agentOf: parent?.prefix(8), unnamed: "task")
  }
}
