/// A prompt that an assistant's program may record in several places, each with an id of its own.
///
/// All records are one message: the most complete one counts. An earlier one gives way to it, and a later one
/// adds nothing. They are recognised by their session or folder, their text and the time of typing.
package struct TypedPrompt: Hashable, Sendable {
  /// Where a prompt is recorded, the least complete record first.
  package enum Place: Int, Hashable, Sendable, Comparable {
    /// A list of what was typed in all sessions.
    case list
    /// The prompts that wait until the assistant has finished.
    case queue
    /// The session itself.
    case session

    /// The beginning of the ids of its records; ids of a session's records are the program's own.
    package var prefix: String {
      switch self {
      case .list: "list/"
      case .queue: "queue/"
      case .session: ""
      }
    }

    /// Returns the place of the record with an id.
    package init(ofID id: String) {
      self = id.hasPrefix(Self.list.prefix) ? .list : id.hasPrefix(Self.queue.prefix) ? .queue : .session
    }

    package static func < (a: Place, b: Place) -> Bool { a.rawValue < b.rawValue }
  }

  package var place: Place
  /// The key of its session; `nil` if a list does not name it.
  package var session: String?
  /// The folder in which it was typed.
  package var folder: String?
  /// Its text as other places spell it, if they differ.
  package var spelling: String?
  /// When it was typed, if its record has another time.
  package var typedAt: Timestamp?
  /// When the same text was typed next in that session: what the session recorded from then on is that one.
  package var next: Timestamp?

  package init(_ place: Place, session: String?, folder: String?, spelling: String? = nil) {
    (self.place, self.session, self.folder, self.spelling) = (place, session, folder, spelling)
  }

  /// Whether a record is of a list or a queue, or a part of such a record.
  package static func isLessComplete(_ source: Message.Source) -> Bool {
    platforms.contains(source.platform) && source.id.map(Place.init(ofID:)) ?? .session < .session
  }

  /// The platforms whose programs record prompts in several places.
  private static let platforms: Set = ["claude-code", "codex"]

  /// The key of the conversation of prompts that a list names no session for.
  package static func key(ofFolder folder: String) -> String { "folder\(folder)" }
}
