internal import MessageModel

/// All REPL commands: names, arguments, parsing and help. docs/internals/extending.md says how to add one.
enum CommandTable {
  struct Entry: Sendable {
    /// Without the slash.
    var name: String
    var effect: TypedCommand.Effect
    var arguments: String
    var summary: String
    /// Lines of further help, with examples.
    var details: [String] = []
    var completes: Completion = .nothing
    /// What the arguments may be, for error messages; `nil` if the usage is enough.
    var takes: String?
    /// Parses the arguments; `nil` if they are invalid.
    var read: @Sendable (Substring) -> ReplCommand?
  }

  enum Completion: Hashable, Sendable {
    case nothing, commands, settings, openings, people, places, filters, query, files
    /// A message's letter, then words.
    case text
    case words([String])
  }

  static let entries: [Entry] = moving + searching + reading + writing + other
  /// Other names, which cannot be abbreviated.
  static let aliases: [Substring: Substring] = ["exit": "quit"]
  /// Remedies for names of other programs, and of shell commands.
  static let meant: [String: Remedy] = [
    "unread": "/goto unread, or Alt-u", "people": "scrollback people, in the shell; /person NAME shows one",
    "senders": "scrollback senders, in the shell; /person NAME shows one", "channels": "/conversations",
    "chats": "/conversations", "rooms": "/conversations", "list": "/conversations", "find": "/search QUERY",
    "grep": "/search QUERY", "jump": "/goto PLACE", "bookmark": "/mark NAME", "bookmarks": "/marks",
    "images": "/gallery", "photos": "/gallery", "pictures": "/gallery", "settings": "/set", "config": "/set",
    "options": "/set", "nick": "/set", "starred": "/stars", "favourites": "/stars", "favorites": "/stars",
    "check": "scrollback check, in the shell", "backup": "scrollback backup FILE, in the shell",
    "imports": "scrollback imports, in the shell", "sources": "scrollback sources, in the shell",
  ]
  static let reads = entries.filter { $0.effect == .reads }
}
