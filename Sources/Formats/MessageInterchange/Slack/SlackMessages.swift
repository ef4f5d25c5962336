internal import MessageModel

struct SlackMessages {
  private let options: ImportOptions
  private let workspace: SlackWorkspace
  private var times: LooseTime

  init(in workspace: SlackWorkspace, _ options: ImportOptions) {
    self.workspace = workspace
    self.options = options
    times = LooseTime(options)
  }

  /// Also appends the replies that slackdump nests in the message.
  mutating func add(_ value: Bytes, in channel: SlackWorkspace.Channel, to sink: inout RecordSink)
    throws(JSONError)
  {
    let fields = try JSONFields.reading(value)
    guard let written = try fields.string("ts") else { throw JSONError(reason: "it has no time") }
    guard let (time, precision) = times.read(written) else {
      throw JSONError(reason: "its time is not understood")
    }
    let reader = SlackMessage(
      fields: fields, workspace: workspace, conversation: channel.id, times: times)
    var message = try reader.read(ts: written, at: time, precision)
    if options.keepsOriginal { message.details.source?.original = value.string }
    let index = sink.conversation(
      named: channel.name, isDirect: channel.isDirect, identity: workspace.identity(of: channel),
      in: workspace.name, options)
    sink.append(message, conversation: index)
    var replies: [Bytes] = []
    try fields.forEach("slackdump_thread_replies") { reply throws(JSONError) in replies.append(reply) }
    for reply in replies { try add(reply, in: channel, to: &sink) }
  }
}
