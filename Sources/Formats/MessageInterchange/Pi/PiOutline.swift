/// What a session's first message needs from the rest of the file: the name and the abandoned entries.
struct PiOutline {
  private(set) var title: String?
  private var asked: String?
  private var branches: [String: Int32] = [:]
  private var names: [Int32: (id: String, title: String?)] = [:]
  private var ids: [String] = []
  private var parents: [Int32] = []
  private var places: [String: Int32] = [:]

  private static let mostEntries = 1 << 21

  /// Reads the file again if it has branches, for their first prompts.
  init(of file: InputFile) {
    let transcript = Transcript(file)
    let isWhole = transcript.look { (fields) throws(JSONError) in try take(fields) }
    title = title ?? asked
    if isWhole { findBranches() }
    (ids, parents, places) = ([], [], [:])
    if !branches.isEmpty { transcript.look { (fields) throws(JSONError) in try nameBranch(fields) } }
  }

  func branch(of id: String) -> (id: String, title: String?)? { branches[id].flatMap { names[$0] } }

  private mutating func take(_ fields: JSONFields) throws(JSONError) {
    let type = try fields.plainText("type")
    if type == "session_info" { title = try fields.plainText("name") ?? title }
    if type == "title" || type == "session" { title = try fields.plainText("title") ?? title }
    if asked == nil, type == "message" { asked = try Self.question(fields) }
    guard type != "session", ids.count < Self.mostEntries, let id = try fields.plainText("id") else { return }
    let place = Int32(ids.count)
    parents.append(try fields.plainText("parentId").flatMap { places[$0] } ?? -1)
    ids.append(id)
    places[id] = place
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
      names[Int32(start)] = (ids[start], nil)
    }
  }

  private mutating func nameBranch(_ fields: JSONFields) throws(JSONError) {
    guard let branch = try fields.plainText("id").flatMap({ branches[$0] }), names[branch]?.title == nil,
      try fields.plainText("type") == "message"
    else { return }
    names[branch]?.title = try Self.question(fields)
  }
}
