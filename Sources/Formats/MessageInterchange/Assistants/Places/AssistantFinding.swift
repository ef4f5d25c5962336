internal import MessageModel

/// The history that an assistant keeps at one place, by the facts of its files alone.
package struct AssistantFinding: Hashable, Sendable {
  /// The part of it that is followed.
  package enum Following: String, Hashable, Sendable {
    case no, partly, yes
  }

  /// The name of the format that reads it.
  package let format: String
  /// The name of the program.
  package let program: String
  /// The folder or file that is to be followed, in which a part `*` stands for several folders.
  package let parts: [String]
  /// The number of sessions; of databases, whose sessions only their contents would tell, of those.
  package internal(set) var count = 0
  /// Whether they are databases.
  package let isDatabase: Bool
  /// The number of bytes of their files.
  package internal(set) var byteCount: Int64 = 0
  /// The time of their last change, in nanoseconds since 1970.
  package internal(set) var changedAt: Int64 = .min
  /// A folder that cannot be looked at, and why, if there is one.
  package internal(set) var trouble: String?
  /// The number of what is to be followed, and how much of it is.
  var placeCount = 0
  var followedCount = 0
  var isPartlyFollowed = false

  init(_ format: String, _ place: AssistantPlace, at parts: [String]) {
    self.format = format
    program = place.program
    self.parts = parts
    isDatabase = place.isDatabase
  }

  /// The path that is to be followed; `*` in it stands for any one name.
  package var path: String { "/" + parts.joined(separator: "/") }

  /// The part of it that is followed already.
  package var following: Following {
    if placeCount > 0, followedCount == placeCount { return .yes }
    return followedCount > 0 || isPartlyFollowed ? .partly : .no
  }

  /// The path as a word for a shell, which puts in what `*` stands for.
  package var shellWord: String {
    parts.reduce("") { word, part in
      word + "/" + (part == "*" || Self.isPlain(part) ? part : ShellWord.quoted(part))
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
          true
        default: false
        }
      }
  }
}
