internal import MessageModel

/// A conversation with an assistant: what the next import knows it again by, and what people call it.
///
/// Titles change as a talk goes on and several talks have the same one, so neither is its identity.
struct AssistantTalk: Hashable {
  /// The id that its platform gives it, after the name of the platform.
  var key: String
  /// The title, with the folder before it that it was held in.
  var title: String

  /// Creates a talk of `platform` with `id`.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder that the assistant worked in, of which its own name is shown.
  ///   - title: The first line of it counts; without any the talk is called by its id.
  init(_ platform: String, id: String, folder: String? = nil, title: String?) {
    key = "\(platform):\(id)"
    let own = title.flatMap(Self.title) ?? "\(platform) \(id.prefix(8))"
    let place = folder?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.flatMap { Self.title($0) }
    self.title = place.map { "\($0) > \(own)" } ?? own
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

  /// Returns the first line of a text that has letters in it, cut at a word if it is long; `nil` if there is none.
  static func title(_ text: some StringProtocol) -> String? {
    for part in text.prefix(4_096).split(whereSeparator: \.isNewline) {
      let shown = String(
        String.UnicodeScalarView(part.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
      let line = shown.trimming { $0 == " " }
      if !line.isEmpty { return shortened(line) }
    }
    return nil
  }

  private static func shortened(_ line: String) -> String {
    guard line.count > longestTitle else { return line }
    let cut = line.prefix(longestTitle)
    guard let end = cut.lastIndex(of: " "), cut[..<end].count > longestTitle / 2 else { return cut + "…" }
    return cut[..<end] + "…"
  }
}

extension RecordSink {
  /// Returns the index of a talk in this batch, or of the conversation that all of an import is to go into.
  mutating func conversation(of talk: AssistantTalk, _ options: ImportOptions) -> Int32 {
    if let chosen = options.conversation { return conversation(named: chosen) }
    return conversation(keyed: talk.key, title: talk.title)
  }
}
