/// Slack's export, a folder per channel and a file per day, and slackdump's.
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

extension SlackEvents {
  static func isOfTeam(_ line: Bytes) -> Bool {
    guard let fields = JSONFields(line) else { return false }
    return ["type", "channel", "ts", "team"].allSatisfy { fields[$0] != nil }
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
