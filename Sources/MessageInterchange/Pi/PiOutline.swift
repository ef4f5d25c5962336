internal import MessageModel

/// The facts of a session of Pi that its first message needs: its name, and which entries were left behind.
struct PiOutline {
  private(set) var title: String?
  private var asked: String?
  /// The first entries of branches that were left behind, by hashes of the ids of all entries of theirs.
  /// The first entries of branches that were left behind, by the ids of all entries of theirs.
  private var branches: [String: Int32] = [:]
  /// Of each branch the id of its first entry and its first question.
  private var names: [Int32: (id: String, title: String?)] = [:]
  private var ids: [String] = []
  private var parents: [Int32] = []
  private var places: [String: Int32] = [:]
  private var texts: [Int32: String] = [:]

  /// So many entries are remembered, and so many of their texts, after which branches may be called.
  private static let mostEntries = 1 << 21
  private static let mostTexts = 32_768

  /// Looks through a file.
  init(of file: InputFile) {
    let isWhole = Transcript(file).look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? asked
    if isWhole { findBranches() }
    (ids, parents, places, texts) = ([], [], [:], [:])
  }

  /// Returns the branch that an entry belongs to, if it was left behind: the id of its first entry, and its first question.
  func branch(of id: String) -> (id: String, title: String?)? { branches[id].flatMap { names[$0] } }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let type = try fields.plainText("type")
    if type == "session_info" { title = try fields.plainText("name") ?? title }
    if type == "title" || type == "session" { title = try fields.plainText("title") ?? title }
    let text = type == "message" ? try Self.question(fields) : nil
    asked = asked ?? text
    guard type != "session", ids.count < Self.mostEntries, let id = try fields.plainText("id") else { return }
    let place = Int32(ids.count)
    parents.append(try fields.plainText("parentId").flatMap { places[$0] } ?? -1)
    ids.append(id)
    places[id] = place
    if let text, texts.count < Self.mostTexts { texts[place] = text }
  }

  private static func question(_ fields: JSONFields) throws(JSONError) -> String? {
    guard let message = fields.object("message"), try message.plainText("role") == "user" else { return nil }
    return try PiContent.text(of: message).flatMap { AssistantTalk.title($0) }
  }

  private mutating func findBranches() {
    let tree = TalkTree(parents: parents.map { $0 < 0 ? nil : Int($0) }, leaf: nil)
    for (place, start) in tree.branches.enumerated() {
      guard let start else { continue }
      branches[ids[place]] = Int32(start)
      let known = names[Int32(start)]?.title
      names[Int32(start)] = (ids[start], known ?? texts[Int32(place)])
    }
  }
}
