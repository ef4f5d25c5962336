internal import MessageModel

extension CommandTable {
  static let reading: [Entry] = [
    Entry(
      name: "open", effect: .reads, arguments: "NAME | * | @PERSON | LETTER | #ID",
      summary: "another conversation, everything, or a person's messages",
      details: [
        "/open general      a conversation",
        "/open *            all messages in the order of time, each with its conversation; also /open --all",
        "/open @ann         your direct conversations with Ann, and what she wrote elsewhere (/set person direct)",
        "/open --person ann where a conversation has the name @ann",
        "/open c            the conversation of a message, at that: c is its letter; there the letter alone will do",
        "Where several conversations are shown, text is not sent: /reply c TEXT answers. /back returns.",
      ], completes: .openings
    ) { ReplCommand.Opening($0).map(ReplCommand.open) },
    Entry(
      name: "conversations", effect: .reads, arguments: "", summary: "all conversations",
      details: [
        "Arrows or letters of a name (per6 finds perl6) choose while they are listed, and Enter opens it.",
        "Of more than 1,000 it shows the switcher (Alt-c): those written in last come first.",
      ]
    ) { CommandArguments.bare($0, .conversations) },
    Entry(
      name: "sessions", effect: .reads, arguments: "[QUERY]",
      summary: "sessions of assistants, newest first, to open one",
      details: [
        "/sessions project:tea is:failed   words of titles and project: branch: model: tool: file: is:failed since: until:",
        "Arrows or words of one choose, and Enter opens it. scrollback resume goes on with one in its program.",
      ], completes: .query
    ) { text in
      let words = text.split(separator: " ", maxSplits: 1)
      guard let first = words.first, first.hasPrefix("#"), let id = Message.ID(String(first.dropFirst()))
      else {
        return .sessions(String(text), before: nil)
      }
      return .sessions(words.count > 1 ? String(words[1]) : "", before: id)
    },
    Entry(
      name: "switch", effect: .reads, arguments: "",
      summary: "to another conversation, a person or a saved filter, by letters of its name",
      details: [
        "Those that were written in last come first, with what is unread. Alt-c opens it at any time, again or Esc closes",
        "it; Enter goes to the chosen one: at first the one that was written in last besides the one that is open.",
        "The first line is everything: all messages in the order of time.",
      ]
    ) { CommandArguments.bare($0, .switcher) },
    Entry(
      name: "view", effect: .reads, arguments: "LETTER | #ID",
      summary: "one message, whole, with all that is known of it",
      details: [
        "The letter in the margin of a message names it while it is on the screen.",
        "Keys as in less: Space is a page, g G and Alt-Home Alt-End are the ends, 12g a line, 50% half way, /WORD and",
        "?WORD find, n N go on, -N numbers the lines, s FILE saves it. The current hit of a search is shown at its words.",
      ]
    ) { CommandArguments.target($0).map(ReplCommand.view) },
    Entry(
      name: "save", effect: .reads, arguments: "LETTER DIR",
      summary: "write what is attached to a message into a folder",
      details: ["/save c ~/Downloads", "Names are made safe, and existing files are not overwritten."],
      completes: .files
    ) { text in CommandArguments.targetAndText(text).map { .save($0.target, to: $0.text) } },
    Entry(
      name: "copy", effect: .reads, arguments: "[LETTER | #ID | LETTER-LETTER] [FORMAT] ['|' COMMAND]",
      summary: "the text of a message into the clipboard",
      details: [
        "/copy a-f copies all from one message to another, with who wrote them and when.",
        "/copy a-f markdown   also jsonl, text, html, csv, tsv, mbox: as /export writes them",
        "/copy c | wc -w      to a command of the shell instead; what that prints is shown",
        "/copy               what Alt-v and the arrows have selected; also /copy markdown, /copy | wc -w",
        "The terminal does it (OSC 52), also over ssh, or tmux, wl-copy, xclip, pbcopy; it says which.",
        "In a script the text is printed.",
      ]
    ) { CommandArguments.copied($0).map(ReplCommand.copy) },
    Entry(
      name: "quote", effect: .reads, arguments: "[LETTER | #ID | LETTER-LETTER]",
      summary: "the text of a message into the line, as a quotation",
      details: [
        "/quote c puts \"> text\" into the line, to write below it; /quote a-f names who wrote what.",
        "Without a letter it quotes what Alt-v and the arrows have selected.",
      ]
    ) { CommandArguments.quoted($0).map(ReplCommand.quote) },
    Entry(
      name: "url", effect: .reads, arguments: "LETTER [N] [copy|open]",
      summary: "the links of a message, to see, copy or open",
      details: [
        "/url c          shows them, with numbers if there are several",
        "/url c 2 copy   the second one into the clipboard",
        "/url c open     the only one by xdg-open (on a Mac by open): http, https and mailto alone",
      ], completes: .text
    ) { CommandArguments.link($0) },
    Entry(
      name: "answered", effect: .reads, arguments: "[LETTER | #ID]",
      summary: "to the message that one answers; also Alt-o",
      details: [
        "Without LETTER: the last reply in view. Press again to follow the chain, or to come back."
      ]
    ) { text in text.isEmpty ? .answered(nil) : CommandArguments.target(text).map(ReplCommand.answered) },
    Entry(
      name: "thread", effect: .reads, arguments: "LETTER | #ID",
      summary: "only this thread: a message and all its replies",
      details: ["Where a platform has no threads it is what answers what, from the first message on."]
    ) { CommandArguments.target($0).map(ReplCommand.thread) },
    Entry(
      name: "threads", effect: .reads, arguments: "[#ID]",
      summary: "the threads here, newest replies first, to go to one",
      details: [
        "Each with its replies and how many are new, who started it, and its first words.",
        "Arrows or words of one choose, and Enter goes there. #ID lists those last answered before it.",
      ]
    ) { text in
      if text.isEmpty { return .threads(before: nil) }
      guard case .message(let id)? = CommandArguments.target(text) else { return nil }
      return .threads(before: id)
    },
    Entry(
      name: "follow", effect: .reads, arguments: "on | off",
      summary: "whether new messages move a view at the newest",
      completes: .words(["on", "off"])
    ) { CommandArguments.toggle($0).map(ReplCommand.follow) },
    Entry(
      name: "freeze", effect: .reads, arguments: "on | off",
      summary: "hold the view still and only count what happens",
      details: ["The status line shows: since then +12 −1 ~3 (new, deleted, changed)."],
      completes: .words(["on", "off"])
    ) { CommandArguments.toggle($0).map(ReplCommand.freeze) },
  ]
}
