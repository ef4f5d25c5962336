internal import MessageModel

/// A channel of Discord, as the files of DiscordChatExporter tell it that have no field for its id.
struct DiscordChannel {
  /// Its name.
  var name: String
  /// The name of the group that it lies in, for people: its server; of a thread its channel or forum.
  var place: String?
  /// The names of all that it lies in, from the server on, and its own.
  private var path: [String]
  /// Its id, if the name of the file tells it.
  private var id: String?

  /// Creates the channel that the name of a file tells: `House - Rooms - tea [2]`.
  init(fileName: String) {
    let bracket = fileName.firstRange(of: " [")
    let own = bracket.map { String(fileName[..<$0.lowerBound]) } ?? fileName
    path = own.split(separator: " - ").map(String.init)
    name = path.last ?? own
    place = path.count > 1 ? path[0] : nil
    id = bracket.flatMap { Self.id(fileName[$0.upperBound...]) }
  }

  /// Takes what the head of a page tells: the server, and `Rooms / tea` or `Rooms / forum / thread`.
  mutating func learn(server: String?, line: String) {
    let parts = line.split(separator: " / ").map(String.init)
    guard let last = parts.last else { return }
    name = last
    path = [server].compactMap { $0 } + parts
    place = parts.count > 2 ? parts[parts.count - 2] : server
  }

  /// Its identity on Discord; `nil` where that would be its name alone.
  var identity: ConversationIdentity? {
    if let id { return Self.identity(id: id) }
    guard path.count > 1 else { return nil }
    return ConversationIdentity(platform: "discord-path", key: path.joined(separator: " / "))
  }

  /// Returns the identity of the channel with an id.
  static func identity(id: String) -> ConversationIdentity? {
    ConversationIdentity(platform: "discord", key: id)
  }

  /// The number before the bracket.
  private static func id(_ rest: Substring) -> String? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && rest[digits.endIndex...].hasPrefix("]") ? String(digits) : nil
  }
}
