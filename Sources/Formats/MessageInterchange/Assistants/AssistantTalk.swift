internal import Foundation
internal import MessageMarkup
internal import MessageModel

/// A conversation with an assistant: what the next import knows it again by, and what people call it.
///
/// Titles change as a talk goes on and several talks have the same one, so neither is its identity.
struct AssistantTalk: Hashable {
  /// The id that its platform gives it, after the name of the platform.
  var key: String
  /// The title, with the folder before it that it was held in.
  var title: String
  /// The note on it as a session; `nil` for what is only a part of one: a branch that was left behind, an agent's task.
  var note: SessionNote?

  /// Creates a talk of `platform` with `id`.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder that the assistant worked in, of which its own name is shown.
  ///   - title: The first line of it counts; without any the talk is called by its id.
  ///   - isSession: Whether it is a session of its own, rather than a part of one or no talk with an assistant.
  init(_ platform: String, id: String, folder: String? = nil, title: String?, isSession: Bool = true) {
    note = isSession ? SessionNote(folder: folder.map(Self.path)) : nil
    key = "\(platform):\(id)"
    let own = title.flatMap(Self.title) ?? "\(platform) \(id.prefix(8))"
    let place = folder?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.flatMap {
      Self.firstLine(of: $0)
    }
    self.title = place.map { "\($0) > \(own)" } ?? own
  }

  /// Returns the path of a folder that may be told by its address, `file:///home/ann/tea`.
  private static func path(_ folder: String) -> String {
    guard folder.hasPrefix("file://") else { return folder }
    let path = folder.dropFirst("file://".count)
    return path.removingPercentEncoding ?? String(path)
  }

  /// Creates the talk of a branch of `trunk` that was left behind, or of a side chain.
  ///
  /// - Parameter word: What sort of talk it is.
  init(_ word: String, of trunk: AssistantTalk, id: String, title: String?) {
    key = "\(trunk.key)/\(id)"
    self.title = "\(trunk.title) (\(word): \(title.flatMap { Self.title($0) } ?? String(id.prefix(8))))"
  }

  /// Its identity on its platform.
  var identity: ConversationIdentity? { ConversationIdentity(joined: key) }

  private static let longestTitle = 64

  /// Returns the first line of a text that has letters in it, without the signs that mark it, cut at a word if it is long; `nil`
  /// if there is none.
  static func title(_ text: some StringProtocol) -> String? {
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestBeginning)))
    return firstLine(of: Markup(beginning, as: .markdown).shown(beginning))
  }

  /// The most characters of a text in which a title is looked for.
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
    // A character has a byte at least.
    guard line.utf8.count > longestTitle,
      let bound = line.index(line.startIndex, offsetBy: longestTitle, limitedBy: line.endIndex),
      bound < line.endIndex
    else { return line }
    let cut = line[..<bound]
    guard let end = cut.lastIndex(of: " "), cut[..<end].count > longestTitle / 2 else { return cut + "…" }
    return cut[..<end] + "…"
  }
}

/// The talk that was made last: the messages of a file are of one mostly, and making it anew would take as long as reading
/// a message.
struct KnownTalk {
  private var known: (id: String, folder: String?, title: String?, isSession: Bool, talk: AssistantTalk)?

  /// Returns a talk as ``AssistantTalk/init(_:id:folder:title:isSession:)`` makes it, for one platform.
  mutating func talk(
    _ platform: String, id: String, folder: String? = nil, title: String?, isSession: Bool = true
  ) -> AssistantTalk {
    if let known, known.id == id, known.title == title, known.folder == folder, known.isSession == isSession {
      return known.talk
    }
    let talk = AssistantTalk(platform, id: id, folder: folder, title: title, isSession: isSession)
    known = (id, folder, title, isSession, talk)
    return talk
  }
}

extension RecordSink {
  /// Returns the index of a talk in this batch, or of the conversation that all of an import is to go into.
  mutating func conversation(of talk: AssistantTalk, _ options: ImportOptions) -> Int32 {
    if let last = lastTalk, last.talk == talk { return last.index }
    let index = newConversation(of: talk, options)
    lastTalk = (talk, index)
    return index
  }

  private mutating func newConversation(of talk: AssistantTalk, _ options: ImportOptions) -> Int32 {
    if let chosen = options.conversation { return conversation(named: chosen) }
    let index = conversation(keyed: talk.key, title: talk.title)
    if let session = talk.note { note(session, ofConversation: index) }
    return index
  }
}
