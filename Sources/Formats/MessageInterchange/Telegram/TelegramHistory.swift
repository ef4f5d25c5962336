internal import MessageModel

struct TelegramHistory: JSONHistory {
  /// The types of chats, with the kind of their ids: a user and a channel may share a number.
  static let chatTypes = [
    "saved_messages": "user", "replies": "user", "verification_codes": "user", "personal_chat": "user",
    "bot_chat": "user", "private_group": "chat", "private_supergroup": "channel",
    "public_supergroup": "channel",
    "private_channel": "channel", "public_channel": "channel",
  ]

  private static let directTypes: Set<String> = ["personal_chat", "bot_chat"]

  private let options: ImportOptions
  private let fileName: String
  private var times: LooseTime
  private var chat = Chat()
  /// By name: two chats may share one.
  private var owners: [String: String] = [:]

  private struct Chat {
    var name: String?
    var type = ""
    var id = ""
    var isDirect: Bool? {
      TelegramHistory.chatTypes[type].map { _ in TelegramHistory.directTypes.contains(type) }
    }
    var identity: ConversationIdentity? {
      id.isEmpty ? nil : ConversationIdentity(platform: "telegram", key: key)
    }
    var key: String { (TelegramHistory.chatTypes[type] ?? "chat") + id }
  }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool {
    switch path {
    case [], ["messages"]: true
    case ["chats"], ["left_chats"], ["chats", "list"], ["left_chats", "list"]: true
    default:
      path.count >= 3 && path[1] == "list" && (path.count == 3 || path.count == 4 && path[3] == "messages")
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let place = path.count >= 3 && path[1] == "list" ? Array(path.dropFirst(3)) : path
    switch place {
    case ["name"]: chat.name = try? value.jsonString()
    case ["type"]: chat.type = (try? value.jsonString()) ?? ""
    case ["id"]: chat.id = value.string
    case ["messages", "*"]: try takeMessage(value, into: &sink)
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.count == 3 { chat = Chat() }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    var written = try fields.string("date_unixtime") ?? ""
    if written.isEmpty { written = try fields.string("date") ?? "" }
    guard let (time, precision) = times.read(written) else {
      throw JSONError(reason: "it has no time (Telegram exports some messages so)")
    }
    let message = TelegramMessage(fields: fields, chat: chat.key, times: times)
    var rich = try message.read(at: time, precision)
    if options.keepsOriginal { rich.details.source?.original = value.string }
    let name = conversationName()
    sink.append(
      rich,
      conversation: sink.conversation(
        named: name, isDirect: chat.isDirect, identity: chat.identity, options))
  }

  private mutating func conversationName() -> String {
    let name = chat.name.flatMap { $0.isEmpty ? nil : $0 } ?? Self.names[chat.type] ?? unnamed
    if let owner = owners[name], owner != chat.key { return "\(name) (\(chat.id))" }
    owners[name] = chat.key
    return name
  }

  private var unnamed: String { chat.id.isEmpty ? fileName : "Deleted account \(chat.id)" }

  private static let names = [
    "saved_messages": "Saved messages", "replies": "Replies", "verification_codes": "Verification codes",
  ]
}
