/// What a session's first message needs from the rest of the file: the title and the withdrawn turns.
struct CodexOutline {
  private(set) var title: String?
  private(set) var branches: [Int: Int] = [:]
  private var asked: String?
  private var turns: [Int] = []
  private var turnCount = 0

  init(of file: InputFile) {
    _ = Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? asked
  }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    switch try CodexRecord(fields).topic {
    case .item(let item):
      guard let question = try CodexRecord.question(item) else { return }
      asked = asked ?? AssistantTalk.title(question)
      turns.append(turnCount)
      turnCount += 1
    case .event(let event):
      switch try event.plainText("type") {
      case "thread_name_updated": title = try event.plainText("thread_name") ?? title
      case "thread_rolled_back": takeBack(event.integer("num_turns") ?? 0)
      default: break
      }
    case .session, .turn, .compaction, .unknown, .nothing: break
    }
  }

  private mutating func takeBack(_ count: Int64) {
    let gone = turns.suffix(Int(clamping: max(count, 0)))
    guard let first = gone.first else { return }
    for turn in gone { branches[turn] = first }
    turns.removeLast(gone.count)
  }
}
