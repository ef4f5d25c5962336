/// Open WebUI's export. Each chat is read as a whole, since the path taken through its tree is at the end.
struct OpenWebUIExport: JSONHistory {
  private let options: ImportOptions
  private let isList: Bool
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    isList = JSONStream.beginsList(file.source)
  }

  func descends(into path: [String]) -> Bool { isList && path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    let chat = fields.object("chat") ?? fields
    guard chat["history"] != nil || chat["messages"] != nil else {
      throw JSONError(reason: "it has no messages")
    }
    let inner = try chat.plainText("id")
    guard let id = try fields.firstText(["id", "chat_id"]) ?? inner, !id.isEmpty else {
      throw JSONError(reason: "it has no id")
    }
    let created = fields["created_at"] ?? chat["timestamp"]
    let beginning = try created.flatMap { value throws(JSONError) in
      times.read(try AssistantText.plain(value))?.time
    }
    let talk = try OpenWebUIChat(chat, id: id, title: try fields.plainText("title"), beginning: beginning)
    try talk.give(by: options.me ?? "me", &times, options, into: &sink)
  }
}
