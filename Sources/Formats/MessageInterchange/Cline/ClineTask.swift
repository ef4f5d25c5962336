internal import MessageModel

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
    if file.name != ClineFormat.windowName { readTimes(beside: file) }
  }

  private mutating func readFacts(beside file: InputFile) {
    file.facts(in: "history_item.json")?.withUnsafeBytes { bytes in
      guard let facts = JSONFields(bytes) else { return }
      parent = try? facts.plainText("parentTaskId")
      folder = try? facts.plainText("workspace")
    }
  }

  private mutating func readTimes(beside file: InputFile) {
    guard let path = FileSurroundings(file)?.file(ClineFormat.windowName),
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

  func talk(in folder: String?, title: String?) -> AssistantTalk {
    var title = title.flatMap { AssistantTalk.title($0) }
    if let parent { title = "\(title ?? "task") (agent of \(parent.prefix(8)))" }
    return AssistantTalk(
      Self.platform, id: id, folder: self.folder ?? folder, title: title, isSession: parent == nil)
  }
}
