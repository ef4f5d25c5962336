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
