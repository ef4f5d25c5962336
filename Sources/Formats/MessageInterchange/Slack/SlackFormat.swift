/// Slack's export, a folder per channel and a file per day, and slackdump's.
struct SlackFormat: ImportFormat {
  let name = "slack"
  let title = "Slack's export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.firstSign else { return 0 }
    guard sample.has("\"ts\""), sample.has("\"type\"") else { return 0 }
    if first == UInt8(ascii: "[") { return sample.has("\"message\"") ? 90 : 0 }
    let isDump = sample.has("\"messages\"") && (sample.has("\"channel_id\"") || sample.has("\"slackdump_"))
    return first == UInt8(ascii: "{") && isDump ? 90 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    JSONHistoryReader(SlackHistory(file: file, options: options), file: file)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    SlackWorkspace.owner(of: sample, taken: name, beside: files)
  }
}

struct SlackHistory: JSONHistory {
  private var messages: SlackMessages
  private var conversation: SlackWorkspace.Channel

  init(file: InputFile, options: ImportOptions) {
    let folders = file.folder
    let isDay = PathNames([file.name]).day != nil
    var workspace = file.companions.slackWorkspace(in: isDay ? folders.dropLast() : folders)
    workspace.name = SlackWorkspace.name(in: file.path)
    messages = SlackMessages(in: workspace, options)
    let folder = isDay ? folders.last : nil
    conversation = workspace.conversation(inFolder: folder ?? PathNames(file.components).conversation)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["*"], ["messages", "*"]: try messages.add(value, in: conversation, to: &sink)
    case ["channel_id"], ["name"]:
      let text = try value.jsonString()
      if path == ["name"], !text.isEmpty { conversation.name = text }
      if path == ["channel_id"] {
        conversation.id = text
        conversation.isKnown = true
      }
    default: break
    }
  }
}

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
