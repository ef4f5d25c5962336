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
