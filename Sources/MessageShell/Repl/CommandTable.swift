internal import MessageModel

/// All commands of the REPL: what they are called, what they take, how they are read and what help says of them.
///
/// To add one: a case of ``ReplCommand``, an entry here, and what it does in both sessions.
enum CommandTable {
  /// One command.
  struct Entry: Sendable {
    /// Its name without the slash.
    var name: String
    /// What follows the name, as help shows it.
    var arguments: String
    /// What it does, in one line.
    var summary: String
    /// What else there is to say, with examples; lines for the screen.
    var details: [String] = []
    /// What its first argument can be completed to.
    var completes: Completion = .nothing
    /// Reads the arguments; `nil` if they make no sense.
    var read: @Sendable (Substring) -> ReplCommand?
  }

  /// What a word can be completed to.
  enum Completion: Hashable, Sendable {
    case nothing, conversations, commands
    case words([String])
  }

  static let entries: [Entry] = moving + reading + writing + other

  private static let moving: [Entry] = [
    Entry(name: "older", arguments: "[N]", summary: "N older messages, or a page of them") {
      count($0, ReplCommand.older)
    },
    Entry(name: "newer", arguments: "[N]", summary: "N newer messages, or a page of them") {
      count($0, ReplCommand.newer)
    },
    Entry(name: "top", arguments: "", summary: "the oldest message") { bare($0, .top) },
    Entry(name: "bottom", arguments: "", summary: "the newest message") { bare($0, .bottom) },
    Entry(name: "back", arguments: "", summary: "back to where the last jump began") { bare($0, .back) },
    Entry(name: "forward", arguments: "", summary: "undo /back") { bare($0, .forward) },
    Entry(
      name: "goto", arguments: "DATE | NUMBER | PERCENT | #ID | unread", summary: "to a place in the history",
      details: [
        "/goto 2024-05-01          the first message of that day, or the next there is",
        "/goto 2024-05-01 14:30    the first message from that minute on",
        "/goto 14:30               of the day in view",
        "/goto yesterday           also: today, 3 days ago, 2 weeks ago",
        "/goto -24h                from the place in view; s, m, h, d, w, mo, y, also +7d",
        "/goto 4812333             the message with that number, 1 being the oldest",
        "/goto 50%                 half way from the oldest to the newest",
        "/goto #6930243452928000   the message with that id",
        "/goto unread              the first one that was not read",
      ], completes: .words(["unread", "yesterday", "today"])
    ) { destination($0).map(ReplCommand.goto) },
  ]

  private static let reading: [Entry] = [
    Entry(
      name: "open", arguments: "NAME", summary: "another conversation", completes: .conversations
    ) { $0.isEmpty ? nil : .open(String($0)) },
    Entry(name: "conversations", arguments: "", summary: "all conversations") { bare($0, .conversations) },
    Entry(
      name: "view", arguments: "HANDLE | #ID", summary: "a message whole, with all that is known of it",
      details: ["A handle is the letter in the margin of a message, valid while that is on the screen."]
    ) { target($0).map(ReplCommand.view) },
    Entry(
      name: "follow", arguments: "on | off", summary: "whether new messages move a view at the newest",
      completes: .words(["on", "off"])
    ) {
      switch $0 {
      case "on": .follow(true)
      case "off": .follow(false)
      default: nil
      }
    },
  ]

  private static let writing: [Entry] = [
    Entry(
      name: "reply", arguments: "HANDLE TEXT", summary: "answer a message",
      details: ["/reply c I think so too"]
    ) { text in
      let words = text.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let target = target(words[0]) else { return nil }
      return .reply(target, String(words[1]))
    }
  ]

  private static let other: [Entry] = [
    Entry(name: "stats", arguments: "", summary: "counts and sizes") { bare($0, .stats) },
    Entry(
      name: "set", arguments: "[NAME [VALUE]]", summary: "show or change settings",
      details: [
        "me          the name under which you write",
        "time-zone   in which times are shown, for example Europe/Berlin",
      ], completes: .words(["me", "time-zone"])
    ) { text in
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      return .set(words.first, to: words.count > 1 ? words[1] : nil)
    },
    Entry(
      name: "help", arguments: "[COMMAND]", summary: "this list, or more on a command", completes: .commands
    ) { .help($0.isEmpty ? nil : String($0.drop { $0 == "/" })) },
    Entry(name: "quit", arguments: "", summary: "leave") { bare($0, .quit) },
  ]

  // MARK: Reading arguments

  private static func bare(_ text: Substring, _ command: ReplCommand) -> ReplCommand? {
    text.isEmpty ? command : nil
  }

  private static func count(_ text: Substring, _ command: (Int?) -> ReplCommand) -> ReplCommand? {
    if text.isEmpty { return command(nil) }
    guard let count = Int(text), (1...10_000).contains(count) else { return nil }
    return command(count)
  }

  private static func destination(_ text: Substring) -> ReplCommand.Destination? {
    if text == "unread" { return .unread }
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      return .percent(percent)
    }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int(text).flatMap { $0 > 0 ? .number($0) : nil }
    }
    return TimeExpression(text).map { .time($0) }
  }

  private static func id(_ text: Substring) -> Message.ID? { Message.ID(String(text.dropFirst())) }

  private static func target(_ text: Substring) -> ReplCommand.Target? {
    if text.hasPrefix("#") { return id(text).map { .message($0) } }
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return .handle(String(text))
  }
}
