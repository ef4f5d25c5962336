/// Slack's events as received by a program, one per line.
struct SlackEventsFormat: ImportFormat {
  let name = "slack-events"
  let title = "Slack's events, one a line"

  func score(_ sample: FormatSample) -> Int {
    func isEvent(_ fields: JSONFields) -> Bool {
      fields["type"] != nil && fields["channel"] != nil && fields["ts"] != nil
    }
    // Only Slack uses this key.
    if sample.hasRecord(where: { isEvent($0) && $0["event_ts"] != nil }) { return 80 }
    let fitting = sample.percent { line in
      JSONFields(line).map { isEvent($0) && $0["team"] != nil } ?? false
    }
    return fitting >= 50 ? 80 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONRowsReader(SlackEvents(file: file, options: options), file: file)
  }
}

/// The messages among Slack's events.
///
/// An edited message is repeated with its new text, a deleted one with its last; both keep the id.
struct SlackEvents: JSONRows {
  private var messages: SlackMessages
  private let workspace: SlackWorkspace

  init(file: InputFile, options: ImportOptions) {
    workspace = file.companions.slackWorkspace(in: file.folder)
    messages = SlackMessages(in: workspace, options)
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    let type = try fields.plainText("type") ?? ""
    guard type == "message" else { throw JSONError(reason: "it is a '\(type.prefix(60))' and no message") }
    let channel =
      try fields.string("channel").map(workspace.conversation(id:))
      ?? workspace.conversation(inFolder: "imported")
    let inner =
      switch try fields.plainText("subtype") {
      case "message_changed", "message_replied": fields["message"]
      case "message_deleted": fields["previous_message"]
      default: line as Bytes?
      }
    guard let inner else { throw JSONError(reason: "the message in it is missing") }
    try messages.add(inner, in: channel, to: &sink)
  }
}
