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
  ]
}
