/// A channel by slackdump: a reply of Slack's API per line.
struct SlackdumpChunks: JSONRows {
  private var messages: SlackMessages
  private let workspace: SlackWorkspace
  private let fileName: String
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    workspace = file.companions.slackWorkspace(in: file.folder)
    messages = SlackMessages(in: workspace, options)
    fileName = PathNames(file.components).conversation
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = hasSeenItsFormat || fields["t"] != nil
    let channel =
      try fields.string("id").map(workspace.conversation(id:)) ?? workspace.conversation(inFolder: fileName)
    var values = fields["p"].map { [$0] } ?? []
    try fields.forEach("m") { message throws(JSONError) in values.append(message) }
    for value in values {
      do throws(JSONError) {
        try messages.add(value, in: channel, to: &sink)
      } catch {
        sink.skip(line: number, reason: error.reason, record: value)
      }
    }
  }
}
