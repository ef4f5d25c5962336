internal import MessageModel

/// An assistant's history at one place, found without reading its files.
package struct AssistantFinding: Hashable, Sendable {
  /// How much of the place is followed.
  package enum Following: String, Hashable, Sendable {
    case no, partly, yes
  }

  package let format: String
  package let program: String
  /// The path to follow in parts; a part `*` stands for several folders.
  package let parts: [String]
  /// The number of sessions, or of databases, whose sessions only their contents tell.
  package internal(set) var count = 0
  package let isDatabase: Bool
  package internal(set) var byteCount: Int64 = 0
  /// The last change, in nanoseconds since 1970.
  package internal(set) var changedAt: Int64 = .min
  /// A folder that cannot be read, and why.
  package internal(set) var trouble: String?
  /// The number of paths to follow; ``followedCount`` counts those followed already.
  var placeCount = 0
  var followedCount = 0
  var isPartlyFollowed = false

  init(_ format: String, _ place: AssistantPlace, at parts: [String]) {
    self.format = format
    program = place.program
    self.parts = parts
    isDatabase = place.isDatabase
  }

  /// The path to follow; `*` stands for any one name.
  package var path: String { "/" + parts.joined(separator: "/") }

  package var following: Following {
    if placeCount > 0, followedCount == placeCount { return .yes }
    return followedCount > 0 || isPartlyFollowed ? .partly : .no
  }

  /// The path for a shell, which expands `*`.
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
