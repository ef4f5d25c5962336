internal import MessageModel

/// All REPL commands: names, arguments, parsing and help. docs/internals/extending.md says how to add one.
enum CommandTable {
  struct Entry: Sendable {
    /// Without the slash.
    var name: String
    var effect: TypedCommand.Effect
    var arguments: String
    var summary: String
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
  static let aliases: [Substring: Substring] = [
    "exit": "quit", "q": "quit", "x": "quit", "wq": "quit", "e": "open", "join": "open", "buffer": "open",
  ]
  /// Remedies for names of other programs, and of shell commands.
  static let meant: [String: Remedy] = [
    "people": "scrollback people, in the shell; /person NAME shows one",
    "senders": "scrollback senders, in the shell; /person NAME shows one", "channels": "/conversations",
    "chats": "/conversations", "rooms": "/conversations", "list": "/conversations", "find": "/search QUERY",
    "grep": "/search QUERY", "jump": "/goto PLACE", "bookmark": "/mark NAME", "bookmarks": "/marks",
    "images": "/gallery", "photos": "/gallery", "pictures": "/gallery", "settings": "/set", "config": "/set",
    "options": "/set", "nick": "/set", "starred": "/stars", "favourites": "/stars", "favorites": "/stars",
    "query": "/open @NAME", "msg": "/open NAME, then the text", "whois": "/person NAME",
    "names": "scrollback senders, in the shell", "lastlog": "/hits WORDS", "ignore": "/filter -from:NAME",
    "topic": "/stats", "part": "/open NAME", "close": "/open NAME", "bind": "/help keys",
    "input": "/help keys",
    "log": "/export FILE", "clear": "Ctrl-L, which draws the screen again",
    "check": "scrollback check, in the shell", "backup": "scrollback backup FILE, in the shell",
    "imports": "scrollback imports, in the shell", "sources": "scrollback sources, in the shell",
  ]
  static let reads = entries.filter { $0.effect == .reads }
}

extension CommandTable {
  static let moving: [Entry] = [
    Entry(
      name: "older", effect: .reads, arguments: "[N]", summary: "N older messages, or a page of them",
      takes: CommandArguments.counts
    ) { CommandArguments.count($0, ReplCommand.older) },
    Entry(
      name: "newer", effect: .reads, arguments: "[N]", summary: "N newer messages, or a page of them",
      takes: CommandArguments.counts
    ) { CommandArguments.count($0, ReplCommand.newer) },
    Entry(name: "top", effect: .reads, arguments: "", summary: "the oldest message") {
      CommandArguments.bare($0, .top)
    },
    Entry(name: "bottom", effect: .reads, arguments: "", summary: "the newest message") {
      CommandArguments.bare($0, .bottom)
    },
    Entry(name: "back", effect: .reads, arguments: "", summary: "back to where the last jump or search began")
    {
      CommandArguments.bare($0, .back)
    },
    Entry(name: "forward", effect: .reads, arguments: "", summary: "undo /back") {
      CommandArguments.bare($0, .forward)
    },
    Entry(
      name: "goto", effect: .reads, arguments: "DATE | NUMBER | PERCENT | #ID | 'MARK | unread",
      summary: "to a place in the history",
      details: [
        "/goto 2024-05-01          the first message of that day, or the next there is",
        "/goto 2024-05             of that month; /months lists them",
        "/goto 2024-05-01 14:30    the first message from that minute on",
        "/goto 14:30               of the day in view",
        "/goto 1 May 2024          also: May 2024, 2024/05/01, 01.05.2024; May 1 of the year in view",
        "/goto 2pm                 also: noon, midnight; behind a day 14 will do",
        "/goto yesterday           also: today, monday, last week, last march, 3 days ago",
        "/goto -24h                from the place in view; s, m, h, d, w, mo, y, also +7d",
        "/goto 4812333             the message with that number, 1 being the oldest; also 4,812,333",
        "/goto 50%                 half way from the oldest to the newest",
        "/goto #6930243452928000   the message with that id",
        "/goto 'NAME               the message that /mark NAME has marked",
        "/goto unread              the first one that was not on the screen yet; also top, bottom",
      ], completes: .places
    ) { CommandArguments.destination($0).map(ReplCommand.goto) },
    Entry(
      name: "days", effect: .reads, arguments: "", summary: "the days that have messages, with their counts",
      details: ["While they are listed, 2024-05-01 goes to one of them; at any time, /goto 2024-05-01."]
    ) { CommandArguments.bare($0, .sections(.day)) },
    Entry(
      name: "months", effect: .reads, arguments: "",
      summary: "the months that have messages, with their counts",
      details: ["While they are listed, 2024-05 goes to one of them; at any time, /goto 2024-05."]
    ) { CommandArguments.bare($0, .sections(.month)) },
    Entry(
      name: "map", effect: .reads, arguments: "",
      summary: "the messages over time as a picture, to choose a day from",
      details: [
        "A row is a year, a cell is a month; fuller blocks: more messages. Below are the days of the chosen month.",
        "Left and Right choose a day, Up and Down a month, PageUp and PageDown a year; Enter goes there.",
        "+ shows the hours of the day, then the minutes of the hour, - goes back; Alt-h shows the hits of the search.",
      ]
    ) { CommandArguments.bare($0, .map) },
    Entry(
      name: "mark", effect: .reads, arguments: "NAME",
      summary: "remember the first message in view under a name",
      details: ["/goto 'NAME returns to it, also from another conversation."]
    ) { $0.isEmpty ? nil : .mark(String($0)) },
    Entry(
      name: "marks", effect: .reads, arguments: "", summary: "all marks",
      details: ["A name goes there while they are listed."]
    ) { CommandArguments.bare($0, .marks) },
  ]
}

extension CommandTable {
  static let writing: [Entry] = [
    Entry(
      name: "reply", effect: .appends, arguments: "LETTER TEXT", summary: "answer a message",
      details: ["/reply c I think so too"], completes: .text
    ) { text in CommandArguments.targetAndText(text).map { .append($0.text, replyTo: $0.target) } },
    Entry(
      name: "me", effect: .appends, arguments: "TEXT", summary: "write what you do",
      details: ["/me waves    * kim waves"],
      completes: .text
    ) { $0.isEmpty ? nil : .append(String($0), kind: .action) },
    Entry(
      name: "attach", effect: .appends, arguments: "FILE [TEXT]",
      summary: "write a message with a file attached",
      details: ["/attach photo.jpg", "/attach \"old photo.jpg\" what the harbour looked like"],
      completes: .files
    ) { text in CommandArguments.fileAndText(text).map { .attach(file: $0.file, text: $0.text) } },
    Entry(
      name: "edit", effect: .writes, arguments: "LETTER [TEXT]", summary: "change the text of a message",
      details: ["/edit c    brings the text into the line; Enter saves it", "/edit c a better text"],
      completes: .text
    ) { text in
      if let both = CommandArguments.targetAndText(text) { return .change(both.target, .edit(both.text)) }
      return CommandArguments.target(text).map { .edit($0) }
    },
    Entry(
      name: "delete", effect: .writes, arguments: "LETTER | #ID", summary: "delete a message",
      details: ["/undo brings it back."]
    ) { CommandArguments.target($0).map { .change($0, .delete) } },
    Entry(
      name: "undo", effect: .writes, arguments: "[here]", summary: "undo the last change of this run",
      details: [
        "What was written, edited, deleted or reacted, the last first. What was done in another",
        "conversation is named first, and asked about; /undo here is the last change in this one.",
      ], completes: .words(["here"])
    ) { $0.isEmpty ? .undo(.last) : $0 == "here" ? .undo(.here) : nil },
    Entry(
      name: "react", effect: .writes, arguments: "LETTER EMOJI",
      summary: "react to a message; repeat to remove it",
      details: ["/react c 👍", "/react c :thumbsup:    Tab completes names of emoji, also in messages"],
      completes: .text
    ) { text in CommandArguments.targetAndText(text).map { .change($0.target, .react($0.text)) } },
    Entry(
      name: "star", effect: .writes, arguments: "LETTER | #ID",
      summary: "give a message a star ★; repeat to remove it",
      details: ["/stars lists those with one, is:starred finds them. Exports to other formats have no stars."]
    ) { CommandArguments.target($0).map { .change($0, .star) } },
    Entry(
      name: "unread", effect: .writes, arguments: "[LETTER | #ID]",
      summary: "mark as unread from a message on, or go to the first unread one",
      details: [
        "/unread c    What is on the screen stays unread until the conversation is opened again.",
        "/unread      as /goto unread",
      ]
    ) { $0.isEmpty ? .goto(.unread) : CommandArguments.target($0).map { .change($0, .unread) } },
  ]
}

extension CommandTable {
  static let other: [Entry] = [
    Entry(
      name: "import", effect: .writes, arguments: "PATH… [--into NAME] [--format NAME]",
      summary: "import histories while you go on reading",
      details: [
        "/import logs/ \"old chats.zip\"   files, folders and archives",
        "/import talk.txt --into family",
        "Messages that are already in the store are not imported twice. Ctrl-C stops; the same command again continues.",
      ], completes: .files
    ) { TransferRequest(words: $0).map(ReplCommand.load) },
    Entry(
      name: "export", effect: .reads, arguments: "FILE | '|' COMMAND [--format NAME] [--redact RULES]",
      summary: "write what is shown to a file, or to a command",
      details: [
        "/export may.jsonl   by its ending: jsonl, csv, tsv, txt, md, html, mbox",
        "/export | wc -l     to a command of the shell, as text; what that prints is shown",
        "/export --format jsonl | jq .sender",
        "/export may.html --redact secrets   without keys and tokens, or by a file of rules (docs/redact.md)",
        "It contains what the filter shows. Ctrl-C stops it.",
      ], completes: .files
    ) { TransferRequest(export: $0).map(ReplCommand.export) },
    Entry(
      name: "source", effect: .reads, arguments: "FILE",
      summary: "run the commands of a file, line by line",
      details: ["It stops at the first that fails, or at Ctrl-C. Lines without a slash are refused."],
      completes: .files
    ) { CommandArguments.fileAndText($0).flatMap { $0.text.isEmpty ? .source($0.file) : nil } },
    Entry(name: "stats", effect: .reads, arguments: "", summary: "counts and sizes") {
      CommandArguments.bare($0, .stats)
    },
    Entry(name: "memory", effect: .reads, arguments: "", summary: "how much memory is held, and by what") {
      CommandArguments.bare($0, .memory)
    },
    Entry(
      name: "set", effect: .reads, arguments: "[NAME [VALUE]]", summary: "show or change settings",
      details: ReplSetting.all.map { setting in
        setting.name.padding(to: 12) + setting.summary
      } + [
        "They are kept for the next run, in $XDG_CONFIG_HOME/scrollback/config; in a script they are not."
      ], completes: .settings
    ) { text in
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      return .set(words.first, to: words.count > 1 ? words[1] : nil)
    },
    Entry(
      name: "help", effect: .reads, arguments: "[COMMAND | keys]",
      summary: "this list, or more on a command, or all keys",
      completes: .commands
    ) { .help($0.isEmpty ? nil : String($0.drop { $0 == "/" })) },
    Entry(name: "quit", effect: .reads, arguments: "", summary: "leave; also /exit and Ctrl-D") {
      CommandArguments.bare($0, .quit)
    },
  ]
}
