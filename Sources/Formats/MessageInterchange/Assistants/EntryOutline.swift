internal import MessageModel

/// What a session's first message needs from the rest of the file, whose entries name the one that they
/// follow: the title and the abandoned entries.
struct EntryOutline {
  /// What an entry of the file states.
  struct Entry {
    /// `nil` for a record that is no part of the chain.
    var id: String?
    var parent: String?
    /// The session's title from here on.
    var title: String?
    var question: String?
  }

  typealias Reading = (JSONFields) throws(JSONError) -> Entry

  private(set) var title: String?
  private var asked: String?
  private var branches: [String: Int32] = [:]
  private var names: [Int32: (id: String, title: String?)] = [:]
  private var ids: [String] = []
  private var parents: [Int32] = []
  private var places: [String: Int32] = [:]

  private static let mostEntries = 1 << 21

  /// Reads the file again if it has branches, for their first prompts.
  init(of file: InputFile, _ read: Reading) {
    let transcript = Transcript(file)
    let isWhole = transcript.look { (fields) throws(JSONError) in take(try read(fields)) }
    title = title ?? asked
    if isWhole { findBranches() }
    (ids, parents, places) = ([], [], [:])
    if !branches.isEmpty { transcript.look { (fields) throws(JSONError) in nameBranch(try read(fields)) } }
  }

  func branch(of id: String) -> (id: String, title: String?)? { branches[id].flatMap { names[$0] } }

  private mutating func take(_ entry: Entry) {
    title = entry.title ?? title
    asked = asked ?? entry.question.flatMap { AssistantConversation.title($0) }
    guard ids.count < Self.mostEntries, let id = entry.id else { return }
    let place = Int32(ids.count)
    parents.append(entry.parent.flatMap { places[$0] } ?? -1)
    ids.append(id)
    places[id] = place
  }

  private mutating func findBranches() {
    let tree = ConversationTree(parents: parents.map { $0 < 0 ? nil : Int($0) }, leaf: nil)
    for (place, start) in tree.branches.enumerated() {
      guard let start else { continue }
      branches[ids[place]] = Int32(start)
      names[Int32(start)] = (ids[start], nil)
    }
  }

  private mutating func nameBranch(_ entry: Entry) {
    guard let branch = entry.id.flatMap({ branches[$0] }), names[branch]?.title == nil else { return }
    names[branch]?.title = entry.question.flatMap { AssistantConversation.title($0) }
  }
}
