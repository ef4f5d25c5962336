internal import MessageModel

/// A channel in DiscordChatExporter's files that have no field for its id.
struct DiscordChannel {
  var name: String
  /// The server, or a thread's channel or forum.
  var place: String?
  private var path: [String]
  private var id: String?

  /// Parses `House - Rooms - tea [2]`.
  init(fileName: String) {
    let bracket = fileName.firstRange(of: " [")
    let own = bracket.map { String(fileName[..<$0.lowerBound]) } ?? fileName
    path = own.split(separator: " - ").map(String.init)
    name = path.last ?? own
    place = path.count > 1 ? path[0] : nil
    id = bracket.flatMap { Self.id(fileName[$0.upperBound...]) }
  }

  /// `line` is `Rooms / tea` or `Rooms / forum / thread` in the page's head.
  mutating func learn(server: String?, line: String) {
    let parts = line.split(separator: " / ").map(String.init)
    guard let last = parts.last else { return }
    name = last
    path = [server].compactMap { $0 } + parts
    place = parts.count > 2 ? parts[parts.count - 2] : server
  }

  var identity: ConversationIdentity? {
    if let id { return Self.identity(id: id) }
    guard path.count > 1 else { return nil }
    return ConversationIdentity(platform: "discord-path", key: path.joined(separator: " / "))
  }

  static func identity(id: String) -> ConversationIdentity? {
    ConversationIdentity(platform: "discord", key: id)
  }

  private static func id(_ rest: Substring) -> String? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && rest[digits.endIndex...].hasPrefix("]") ? String(digits) : nil
  }
}
