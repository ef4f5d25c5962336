internal import MessageModel

/// All commands of the REPL: what they are called, what they take, how they are read and what help says of them.
///
/// docs/internals/extending.md says how to add one.
enum CommandTable {
  /// One command.
  struct Entry: Sendable {
    /// Its name without the slash.
    var name: String
    /// Its effect on messages.
    var effect: TypedCommand.Effect
    /// The arguments, as help shows them.
    var arguments: String
    /// The command in one line.
    var summary: String
    /// The rest of the help, with examples; lines for the screen.
    var details: [String] = []
    /// The completions of its arguments.
    var completes: Completion = .nothing
    /// The possible arguments, for somebody who wrote something else; `nil` if the usage says all.
    var takes: String?
    /// Reads the arguments; `nil` if they make no sense.
    var read: @Sendable (Substring) -> ReplCommand?
  }

  /// The kind of things that a word can be completed to.
  enum Completion: Hashable, Sendable {
    case nothing, commands, settings, openings, people, places, filters, query, files
    /// A message by its handle, then words of a text.
    case text
    case words([String])
  }

  static let entries: [Entry] = moving + searching + reading + writing + other
  /// Other names of commands, which have to be written out.
  static let aliases: [Substring: Substring] = ["exit": "quit"]
  /// What people type for what is called otherwise here, or is a command of the shell.
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
  /// Those that write nothing, for a view.
  static let reads = entries.filter { $0.effect == .reads }
}
