internal import MessageModel

/// SillyTavern's chats, `data/default-user/chats/*/*.jsonl` and `group chats/*.jsonl`: a message per line.
extension SillyTavernChat {
  static func isHead(_ line: Bytes) -> Bool {
    guard let fields = JSONFields(line) else { return false }
    return fields["character_name"] != nil && (fields["chat_metadata"] != nil || fields["user_name"] != nil)
  }
}

/// SillyTavern's chat: a head, then a message per line with all generated replies.
struct SillyTavernChat: JSONRows {
  private static let platform = "sillytavern"

  private let reader: AssistantReader
  private var times: SillyTavernTimes
  private let stem: String
  private var character: String
  private var talk: AssistantConversation?
  private var last: (time: Timestamp, precision: TimePrecision)?
  private var counts: [String: Int] = [:]
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader(Self.platform, assistant: "SillyTavern", options)
    times = SillyTavernTimes(options)
    let name = PathNames.withoutArchiveExtensions(file.name)
    stem = name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
    character = file.folder.last ?? ""
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    guard let text = try fields.plainText("mes") else {
      guard number == 1, fields["chat_metadata"] != nil || fields["character_name"] != nil else {
        throw JSONError(reason: "it has no text")
      }
      return try begin(fields)
    }
    hasSeenItsFormat = true
    let talk =
      talk
      ?? AssistantConversation(
        Self.platform, id: "\(character)/\(stem)", title: title, isSession: false)
    self.talk = talk
    let name = try fields.plainText("name") ?? ""
    let infos = Self.list(fields["swipe_info"])
    let id = try id(of: fields, infos, by: name, in: talk)
    let chosen = fields.integer("swipe_id").flatMap { Int(exactly: $0) } ?? 0
    let own = times.moment(of: fields["send_date"]) ?? last
    if let own { last = own }
    guard let own else { throw JSONError(reason: "it has no time") }
    let swipes = Self.list(fields["swipes"])
    let isMine = fields.isTrue("is_user")
    func give(
      _ parts: [AssistantPart], _ extra: JSONFields?, at moment: (time: Timestamp, precision: TimePrecision),
      swipe: Int, in talk: AssistantConversation
    ) throws(JSONError) {
      let model = isMine ? nil : try extra?.firstText(["model", "api"])
      reader.append(
        parts, at: moment.time, precision: moment.precision,
        by: .named(isMine ? reader.options.me ?? name : name, model: model),
        id: swipe == 0 ? id : "\(id)/swipe-\(swipe)", original: swipe == chosen ? line : nil, in: talk,
        copiedWithin: talk, into: &sink)
    }
    for place in 0..<max(swipes.count, infos.count) where place != chosen {
      let info = place < infos.count ? JSONFields(infos[place]) : nil
      let moment = times.moment(of: info?["send_date"]) ?? own
      let branch = AssistantConversation(
        Self.platform, id: "\(character)/\(stem)/swipes", title: "\(title) (other answers)",
        isSession: false)
      let swipe = place < swipes.count ? try AssistantText.plain(swipes[place]) : ""
      let parts = try SillyTavernMessage.parts(swipe, info?.object("extra"), isSystem: false)
      try give(parts, info?.object("extra"), at: moment, swipe: place, in: branch)
    }
    let extra = fields.object("extra")
    let isSystem = fields.isTrue("is_system") && (extra?["type"] != nil || name == "SillyTavern System")
    try give(
      try SillyTavernMessage.parts(text, extra, isSystem: isSystem), extra, at: own, swipe: chosen, in: talk)
  }

  private mutating func begin(_ fields: JSONFields) throws(JSONError) {
    hasSeenItsFormat = true
    // In group chats it is not a name.
    if let name = try fields.plainText("character_name"), name != "unused", !name.isEmpty { character = name }
    last = times.moment(of: fields["create_date"])
  }

  /// By default the name begins with the character; users may rename chats.
  private var title: String {
    stem.hasPrefix(character) || character.isEmpty ? stem : "\(character): \(stem)"
  }

  /// The time of the first reply, its author, and a number for several. It survives choosing another reply,
  /// editing the text, and deleting an earlier message.
  private mutating func id(
    of fields: JSONFields, _ infos: [Bytes], by name: String, in talk: AssistantConversation
  ) throws(JSONError) -> String {
    let first = try infos.first.flatMap { JSONFields($0) }?.plainText("send_date")
    let own = try fields.plainText("send_date")
    let date = first ?? own ?? ""
    let base = "\(talk.key.dropFirst(Self.platform.count + 1))/\(date)/\(name)"
    let count = counts[base, default: 0] + 1
    counts[base] = count
    return count == 1 ? base : "\(base)/\(count)"
  }

  private static func list(_ value: Bytes?) -> [Bytes] {
    var values: [Bytes] = []
    guard let value, value.first == UInt8(ascii: "[") else { return values }
    var scanner = JSONScanner(value)
    try? scanner.array { scanner throws(JSONError) in values.append(try scanner.value()) }
    return values
  }
}

enum SillyTavernMessage {
  static func parts(_ text: String, _ extra: JSONFields?, isSystem: Bool) throws(JSONError) -> [AssistantPart]
  {
    let extra = extra ?? JSONFields()
    var parts: [AssistantPart] = []
    if let thought = try extra.plainText("reasoning"), !thought.isEmpty {
      parts.append(AssistantPart(kind: .thinking, text: thought))
    }
    let calls = parts.count
    try extra.forEach("tool_invocations") { value throws(JSONError) in
      guard let call = JSONFields(value) else { return }
      let name = try call.firstText(["name", "displayName"]) ?? "tool"
      parts.append(AssistantPart(kind: .tool, text: try AssistantText.call(name, call["parameters"])))
      var result = AssistantPart(kind: .result, text: try call["result"].map(AssistantText.plain) ?? "")
      result.tool = name
      parts.append(result.ended())
    }
    // A message with calls repeats them in its text.
    let hasCalls = parts.count > calls
    var said = AssistantPart(kind: isSystem ? .system : .text, text: hasCalls && isSystem ? "" : text)
    try attach(extra, to: &said)
    parts.append(said)
    return parts.said
  }

  private static func attach(_ extra: JSONFields, to part: inout AssistantPart) throws(JSONError) {
    var known: Set<String> = []
    func add(_ address: String?, _ name: String?, _ size: Int64?) {
      guard let address, !address.isEmpty, known.insert(address).inserted else { return }
      if address.hasPrefix("data:") { return part.attach(addressed: address) }
      let shown = name ?? address.split(separator: "/").last.map(String.init) ?? address
      part.attachments.append(
        Message.Attachment(name: shown, byteCount: size.flatMap { Int(exactly: max($0, 0)) }, path: address))
    }
    for key in ["image", "video", "audio"] { add(try extra.plainText(key), nil, nil) }
    for key in ["image_swipes", "media", "files"] {
      try extra.forEach(key) { value throws(JSONError) in
        if let file = JSONFields(value) {
          add(try file.plainText("url"), try file.firstText(["name"]), file.integer("size"))
        } else {
          add(try AssistantText.plain(value), nil, nil)
        }
      }
    }
    if let file = extra.object("file") {
      add(try file.plainText("url"), try file.plainText("name"), file.integer("size"))
    }
  }
}

/// SillyTavern's four notations of time: `February 29, 2024 12:34pm`, `2024-2-29@12h34m56s`, `2024-2-29 @12h
/// 34m 56s 789ms`, and ISO 8601.
struct SillyTavernTimes {
  private var times: LooseTime

  init(_ options: ImportOptions) { times = LooseTime(options) }

  mutating func moment(of value: Bytes?) -> (time: Timestamp, precision: TimePrecision)? {
    guard let value, let text = try? AssistantText.plain(value) else { return nil }
    return times.read(text) ?? Self.standard(text).flatMap { times.read($0) }
  }

  /// Converts to ISO 8601 what is UTC, as in SillyTavern: the notations with letters for hours and minutes.
  static func standard(_ text: String) -> String? {
    guard text.contains("@") else { return nil }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(8).map(String.init)
    guard numbers.count >= 6, numbers[0].count == 4, numbers.allSatisfy({ $0.count <= 4 }) else { return nil }
    let fields = numbers[1..<6].map(padded)
    let fraction =
      numbers.count > 6
      ? "." + String(repeating: "0", count: max(3 - numbers[6].count, 0)) + numbers[6] : ""
    return "\(numbers[0])-\(fields[0])-\(fields[1])T\(fields[2]):\(fields[3]):\(fields[4])\(fraction)Z"
  }

  private static func padded(_ digits: String) -> String { digits.count == 1 ? "0" + digits : digits }
}
