extension CommandTable {
  /// Commands that show something.
  static let reading: [Entry] = [
    Entry(
      name: "open", arguments: "NAME", summary: "another conversation", completes: .conversations
    ) { $0.isEmpty ? nil : .open(String($0)) },
    Entry(
      name: "conversations", arguments: "", summary: "all conversations",
      details: ["A name opens one while they are listed."]
    ) { CommandArguments.bare($0, .conversations) },
    Entry(
      name: "view", arguments: "HANDLE | #ID", summary: "a message whole, with all that is known of it",
      details: ["A handle is the letter in the margin of a message, valid while that is on the screen."]
    ) { CommandArguments.target($0).map(ReplCommand.view) },
    Entry(
      name: "save", arguments: "HANDLE DIR", summary: "write what is attached to a message into a folder",
      details: ["/save c ~/Downloads", "Names are made safe, and nothing that is there is written over."],
      completes: .files
    ) { text in CommandArguments.targetAndText(text).map { .save($0.target, to: $0.text) } },
    Entry(
      name: "copy", arguments: "HANDLE | #ID", summary: "the text of a message into the clipboard",
      details: [
        "The terminal does it (OSC 52), also over ssh; some have to be allowed to.",
        "In a script the text is printed.",
      ]
    ) { CommandArguments.target($0).map(ReplCommand.copy) },
    Entry(
      name: "follow", arguments: "on | off", summary: "whether new messages move a view at the newest",
      completes: .words(["on", "off"])
    ) { CommandArguments.toggle($0).map(ReplCommand.follow) },
    Entry(
      name: "freeze", arguments: "on | off", summary: "hold the view still and only count what happens",
      details: ["The status line tells: since then +12 −1 ~3 (came in, deleted, changed)."],
      completes: .words(["on", "off"])
    ) { CommandArguments.toggle($0).map(ReplCommand.freeze) },
  ]
}
