internal import MessageModel

/// A day of a Slack channel, or a channel as slackdump has it.
struct SlackHistory: JSONHistory {
  private let options: ImportOptions
  private let workspace: SlackWorkspace
  private var times: LooseTime
  private var conversation: (name: String, id: String)

  /// Prepares to read `file`, whose folder is the channel's.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    let folders = Array(file.components.dropLast())
    let isDay = PathNames([file.name]).day != nil
    workspace = file.companions.slackWorkspace(in: isDay ? folders.dropLast() : folders)
    let folder = isDay ? folders.last : nil
    conversation = workspace.conversation(inFolder: folder ?? PathNames(file.components).conversation)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONFault) {
    switch path {
    case ["*"], ["messages", "*"]: try takeMessage(value, into: &sink)
    case ["channel_id"], ["name"]:
      var scanner = JSONScanner(value)
      let text = try scanner.string().string()
      if path == ["name"], !text.isEmpty { conversation.name = text }
      if path == ["channel_id"] { conversation.id = text }
    default: break
    }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONFault) {
    let fields = try JSONFields.reading(value)
    guard var written = try fields.string("ts") else { throw JSONFault(reason: "it has no time") }
    guard let (time, precision) = written.withUTF8({ times.read(Bytes($0)) }) else {
      throw JSONFault(reason: "its time is none that is understood")
    }
    let reader = SlackMessage(fields: fields, workspace: workspace, conversation: conversation.id)
    var message = try reader.read(ts: written, at: time, precision)
    if options.keepsOriginal { message.details.source?.original = value.string }
    let index = sink.conversation(named: options.conversation ?? conversation.name)
    sink.append(message, conversation: index)
    var replies: [Bytes] = []
    try fields.forEach("slackdump_thread_replies") { reply throws(JSONFault) in replies.append(reply) }
    for reply in replies { try takeMessage(reply, into: &sink) }
  }
}
