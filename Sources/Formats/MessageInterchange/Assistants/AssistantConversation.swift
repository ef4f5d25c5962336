internal import Foundation
internal import MessageMarkup
internal import MessageModel

/// A conversation with an assistant. Its title may change and several conversations may share one, so it is
/// not part of the identity.
struct AssistantConversation: Hashable {
  /// `platform:id`.
  var key: String
  /// The title after the name of the working folder.
  private(set) var title: String
  /// Whether it is called by more than its id.
  private(set) var hasTitle: Bool
  private let place: String?
  /// Whether another record of the session knows its title and its facts better.
  var isLeastKnown = false
  /// `nil` for a part of a session: an abandoned branch, an agent's task.
  var note: SessionNote?
  /// Whether an agent works on a task there, which the assistant gave it.
  var isOfAgent = false

  /// Of `folder`, the assistant's working folder, only the name is shown, and of `title` the first line;
  /// without a title the id is shown.
  init(_ platform: String, id: String, folder: String? = nil, title: String?, isSession: Bool = true) {
    note = isSession ? SessionNote(folder: folder.map(Self.path)) : nil
    key = "\(platform):\(id)"
    let known = title.flatMap { Self.title($0) }
    hasTitle = known != nil
    place = folder?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.flatMap {
      Self.firstLine(of: $0)
    }
    self.title = Self.placed(known ?? "\(platform) \(id.prefix(8))", in: place)
  }

  /// Creates the conversation of an agent if `session`, the beginning of the id of a session, started it.
  init(
    _ platform: String, id: String, folder: String? = nil, title: String?, agentOf session: Substring?,
    unnamed: String = "agent"
  ) {
    let shown = session.map { "\(title ?? unnamed) (agent of \($0))" } ?? title
    self.init(platform, id: id, folder: folder, title: shown, isSession: session == nil)
    isOfAgent = session != nil
  }

  private static func placed(_ title: String, in place: String?) -> String {
    place.map { "\($0) > \(title)" } ?? title
  }

  /// Gives it a newer title, of which the first line is shown.
  mutating func retitle(_ title: String) {
    guard let own = Self.title(title) else { return }
    hasTitle = true
    self.title = Self.placed(own, in: place)
  }

  private static func path(_ folder: String) -> String {
    guard folder.hasPrefix("file://") else { return folder }
    let path = folder.dropFirst("file://".count)
    return path.removingPercentEncoding ?? String(path)
  }

  /// Creates an abandoned branch or a side chain of `trunk`; `word` names which.
  init(_ word: String, of trunk: AssistantConversation, id: String, title: String?) {
    key = "\(trunk.key)/\(id)"
    hasTitle = trunk.hasTitle
    isOfAgent = trunk.isOfAgent
    place = nil
    self.title = "\(trunk.title) (\(word): \(title.flatMap { Self.title($0) } ?? String(id.prefix(8))))"
  }

  var identity: ConversationIdentity? { ConversationIdentity(joined: key) }

  private static let longestTitle = 64

  /// The first line that contains letters, without its markup, cut at a word if long; `nil` if there is none.
  static func title(_ text: some StringProtocol) -> String? {
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestBeginning)))
    return firstLine(of: Markup(beginning, as: .markdown).shown(beginning))
  }

  private static let longestBeginning = 4_096

  private static func firstLine(of text: some StringProtocol) -> String? {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longestBeginning) {
      if scalar.isLineEnd {
        if line.isEmpty { continue } else { break }
      }
      guard scalar.value >= 0x20, scalar.value != 0x7F, scalar != " " || !line.isEmpty else { continue }
      line.append(scalar)
    }
    while line.last == " " { line.removeLast() }
    return line.isEmpty ? nil : shortened(String(line))
  }

  private static func shortened(_ line: String) -> String {
    guard line.utf8.count > longestTitle,
      let bound = line.index(line.startIndex, offsetBy: longestTitle, limitedBy: line.endIndex),
      bound < line.endIndex
    else { return line }
    let cut = line[..<bound]
    guard let end = cut.lastIndex(of: " "), cut[..<end].count > longestTitle / 2 else { return cut + "…" }
    return cut[..<end] + "…"
  }
}

/// The last conversation created: most messages of a file belong to one, and creating it again is slow.
struct LastAssistantConversation {
  private var known:
    (id: String, folder: String?, title: String?, agentOf: Substring?, talk: AssistantConversation)?

  mutating func conversation(
    _ platform: String, id: String, folder: String? = nil, title: String?, agentOf session: Substring? = nil
  ) -> AssistantConversation {
    if let known, known.id == id, known.title == title, known.folder == folder, known.agentOf == session {
      return known.talk
    }
    let talk = AssistantConversation(platform, id: id, folder: folder, title: title, agentOf: session)
    known = (id, folder, title, session, talk)
    return talk
  }
}

extension RecordSink {
  mutating func conversation(of talk: AssistantConversation, _ options: ImportOptions) -> Int32 {
    if let last = lastConversation, last.talk == talk { return last.index }
    let index = newConversation(of: talk, options)
    lastConversation = (talk, index)
    return index
  }

  /// Records the newest title of a session, after which no message may follow.
  mutating func note(titleOf talk: AssistantConversation, _ options: ImportOptions) {
    _ = conversation(of: talk, options)
  }

  private mutating func newConversation(of talk: AssistantConversation, _ options: ImportOptions) -> Int32 {
    if let chosen = options.conversation { return conversation(named: chosen) }
    let index = conversation(keyed: talk.key, title: talk.title)
    guard let session = talk.note else { return index }
    if !talk.isLeastKnown || entries.sessions[Int(index)] == nil { note(session, ofConversation: index) }
    if talk.hasTitle, !talk.isLeastKnown { noteTitle(talk.title, ofConversation: index) }
    return index
  }
}

/// The messages of a conversation with branches, as a tree by the message that each follows.
struct ConversationTree {
  /// For each message the first one of its abandoned branch; `nil` on the path to the last message.
  let branches: [Int?]

  /// `parents` has for each message the index of the one it follows; cycles in a bad file end. `leaf` is the
  /// last message of the path taken; `nil` for the last in the list. O(messages).
  init(parents: [Int?], leaf: Int?) {
    var isOnWay = [Bool](repeating: false, count: parents.count)
    var place = leaf ?? parents.indices.last
    while let here = place, !isOnWay[here] {
      isOnWay[here] = true
      place = parents[here]
    }
    var branches = [Int?](repeating: nil, count: parents.count)
    for index in parents.indices where !isOnWay[index] && branches[index] == nil {
      var walk: [Int] = []
      var walked = Set<Int>()
      var start = index
      var here: Int? = index
      while let next = here, !isOnWay[next], walked.insert(next).inserted {
        if let known = branches[next] {
          start = known
          break
        }
        walk.append(next)
        start = next
        here = parents[next]
      }
      for message in walk { branches[message] = start }
    }
    self.branches = branches
  }

  /// The indices of the messages in reading order, the path taken first. O(*n* log *n*).
  func order(_ parents: [Int?]) -> [Int] {
    var depths = [Int?](repeating: nil, count: parents.count)
    for index in parents.indices where depths[index] == nil {
      var walk: [Int] = []
      var walked: Set<Int> = []
      var here: Int? = index
      while let next = here, depths[next] == nil, walked.insert(next).inserted {
        walk.append(next)
        here = parents[next]
      }
      var depth = here.flatMap { depths[$0] } ?? -1
      for place in walk.reversed() {
        depth += 1
        depths[place] = depth
      }
    }
    return parents.indices.sorted { a, b in
      (branches[a] ?? -1, depths[a] ?? 0, a) < (branches[b] ?? -1, depths[b] ?? 0, b)
    }
  }
}
