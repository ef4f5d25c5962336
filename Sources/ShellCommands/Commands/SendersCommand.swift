internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `senders`: lists who wrote, and under which names.
enum SendersCommand {
  /// Returns a table with a line per sender: name, messages and whose alias it is.
  static func table(of senders: [SenderSummary], encoder: StyleEncoder = .plain) -> String {
    let names = Dictionary(uniqueKeysWithValues: senders.map { ($0.sender.id, $0.sender.name) })
    let rows = senders.map { summary in
      [
        Span(VisibleText.of(summary.sender.name), .sender(SafeText.oneLine(summary.sender.name))),
        Span(NumberText.grouped(summary.messageCount)),
        Span(summary.aliasOf.map { "also \(VisibleText.of(names[$0] ?? "?"))" } ?? "", .dim),
      ]
    }
    return TextTable.text(rows, alignsRight: [1], encoder: encoder)
  }

  /// Returns a JSON object a line.
  static func json(of senders: [SenderSummary]) -> String {
    let names = Dictionary(uniqueKeysWithValues: senders.map { ($0.sender.id, $0.sender.name) })
    return senders.map { summary in
      var fields = [
        "\"name\":\(JSONString.of(summary.sender.name))", "\"messages\":\(summary.messageCount)",
      ]
      if let external = summary.external { fields.append("\"senderID\":\(JSONString.of(external))") }
      if let other = summary.aliasOf.flatMap({ names[$0] }) {
        fields.append("\"aliasOf\":\(JSONString.of(other))")
      }
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }
}
