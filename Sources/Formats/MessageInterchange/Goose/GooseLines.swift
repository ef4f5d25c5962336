internal import MessageModel

/// A session of Goose before version 1.10, `~/.local/share/goose/sessions/*.jsonl`: a line about the session,
/// then one for each message. Goose took these into its database.
struct GooseLines: JSONSessionRows {
  private let reader: AssistantReader
  private var times: LooseTime
  private var tools = ToolNames()
  private let id: String
  private let talk: AssistantConversation
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader("goose", assistant: "Goose", options)
    times = LooseTime(options)
    let name = PathNames.withoutArchiveExtensions(file.name)
    id = name.hasSuffix(".jsonl") ? String(name.dropLast(".jsonl".count)) : name
    let transcript = Transcript(file)
    let head = transcript.first { (fields) throws(JSONError) in
      Self.isHead(fields) ? (try fields.plainText("description"), try fields.plainText("working_dir")) : nil
    }
    var title = head?.0
    if title?.isEmpty != false {
      title = transcript.first { (fields) throws(JSONError) in try Self.question(fields) }
    }
    talk = AssistantConversation(reader.platform, id: id, folder: head?.1, title: title)
  }

  static func isHead(_ record: JSONFields) -> Bool {
    record["working_dir"] != nil && (record["description"] != nil || record["message_count"] != nil)
  }

  static func isOurs(_ record: JSONFields) -> Bool {
    record["role"] != nil && record.integer("created") != nil && record["content"]?.first == UInt8(ascii: "[")
  }

  /// Sessions that the database beside them has, too.
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.hasRecord(where: isHead) && companions.hasBeside("sessions.db", in: sample.folder)
  }

  private static func question(_ fields: JSONFields) throws(JSONError) -> String? {
    var tools = ToolNames()
    guard try fields.plainText("role") == "user", let content = fields["content"] else { return nil }
    return try GooseContent.parts(content, &tools).first { $0.kind == .text && !$0.text.isEmpty }?.text
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    if Self.isHead(fields) {
      hasSeenItsFormat = true
      return
    }
    let (time, precision) = try times.moment(try fields.plainText("created"))
    guard let content = fields["content"] else { throw JSONError(reason: "it has no content") }
    let parts = try GooseContent.parts(content, &tools)
    hasSeenItsFormat = true
    let own = try fields.plainText("id") ?? GooseContent.id(of: parts, at: time)
    reader.append(
      parts, at: time, precision: precision, by: try fields.plainText("role") == "user" ? .me : .assistant(),
      id: "\(id)/\(own)", original: line, in: talk, into: &sink)
  }
}
