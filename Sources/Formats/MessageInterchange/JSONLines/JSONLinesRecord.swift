internal import MessageModel

/// A line split into the values of known keys, which point into the line. Keys may come in any order, a
/// repeated key's last value counts, unknown keys are ignored, and `null` is the same as a missing key.
struct JSONLinesRecord {
  var id: JSONScanner.RawString?
  var conversation: JSONScanner.RawString?
  var time: JSONScanner.RawString?
  var precision: JSONScanner.RawString?
  var sender: JSONScanner.RawString?
  var senderID: JSONScanner.RawString?
  var kind: JSONScanner.RawString?
  var text: JSONScanner.RawString?
  var replyTo: JSONScanner.RawString?
  var thread: JSONScanner.RawString?
  var edited: Bytes?
  var edits: Bytes?
  var reactions: Bytes?
  var attachments: Bytes?
  var source: Bytes?
  var conversationSource: Bytes?
  var session: Bytes?
  var sendingState: JSONScanner.RawString?
  var payload: JSONScanner.RawString?
  var starred: JSONScanner.RawString?
  var forwarded: Bytes?
  var deleted: Bytes?
  var importNumber: Bytes?

  var hasDetails: Bool {
    id != nil || senderID != nil || replyTo != nil || thread != nil || edited != nil || edits != nil
      || reactions != nil || attachments != nil || source != nil || sendingState != nil || payload != nil
      || starred != nil || forwarded != nil || deleted != nil
  }

  /// `line` must be UTF-8.
  mutating func read(_ line: Bytes) throws(JSONError) {
    var scanner = JSONScanner(line)
    guard scanner.takes(UInt8(ascii: "{")) else { throw .notAnObject }
    if !scanner.takes(UInt8(ascii: "}")) {
      repeat {
        let key = try scanner.string()
        try scanner.expect(UInt8(ascii: ":"))
        try readValue(of: key, &scanner)
      } while scanner.takes(UInt8(ascii: ","))
      try scanner.expect(UInt8(ascii: "}"))
    }
    guard scanner.isAtEnd else { throw JSONError(reason: "something follows the JSON object") }
  }

  private mutating func readValue(
    of key: JSONScanner.RawString, _ scanner: inout JSONScanner
  ) throws(JSONError) {
    // Few keys have the same length, and most of those differ in the first byte.
    switch key.bytes.count {
    case 2 where key.equals("id"): id = try Self.string(&scanner, "id")
    case 4 where key.equals("time"): time = try Self.string(&scanner, "time")
    case 4 where key.equals("kind"): kind = try Self.string(&scanner, "kind")
    case 4 where key.equals("text"): text = try Self.string(&scanner, "text")
    case 5 where key.equals("edits"): edits = try Self.nested(&scanner)
    case 6 where key.equals("edited"): edited = try Self.nested(&scanner)
    case 6 where key.equals("sender"): sender = try Self.string(&scanner, "sender")
    case 6 where key.equals("thread"): thread = try Self.string(&scanner, "thread")
    case 6 where key.equals("source"): source = try Self.nested(&scanner)
    case 6 where key.equals("import"): importNumber = try Self.nested(&scanner)
    case 7 where key.equals("replyTo"): replyTo = try Self.string(&scanner, "replyTo")
    case 7 where key.equals("session"): session = try Self.nested(&scanner)
    case 7 where key.equals("payload"): payload = try Self.string(&scanner, "payload")
    case 7 where key.equals("deleted"): deleted = try Self.nested(&scanner)
    case 7 where key.equals("starred"): starred = try Self.string(&scanner, "starred")
    case 8 where key.equals("senderID"): senderID = try Self.string(&scanner, "senderID")
    case 9 where key.equals("precision"): precision = try Self.string(&scanner, "precision")
    case 9 where key.equals("forwarded"): forwarded = try Self.nested(&scanner)
    case 9 where key.equals("reactions"): reactions = try Self.nested(&scanner)
    case 11 where key.equals("attachments"): attachments = try Self.nested(&scanner)
    case 12 where key.equals("conversation"): conversation = try Self.string(&scanner, "conversation")
    case 18 where key.equals("conversationSource"): conversationSource = try Self.nested(&scanner)
    case 12 where key.equals("sendingState"): sendingState = try Self.string(&scanner, "sendingState")
    default: try scanner.value()
    }
  }

  private static func string(
    _ scanner: inout JSONScanner, _ key: StaticString
  ) throws(JSONError) -> JSONScanner.RawString? {
    if try scanner.kind() == .string { return try scanner.string() }
    guard try scanner.word().has("null") else { throw .wrongType(key, wanted: "a string") }
    return nil
  }

  private static func nested(_ scanner: inout JSONScanner) throws(JSONError) -> Bytes? {
    let value = try scanner.value()
    return value.has("null") ? nil : value
  }
}

extension JSONLinesRecord {
  func details() throws(JSONError) -> ImportDetails {
    var details = ImportDetails()
    if let id { details.id = try Self.messageID(id, "id") }
    details.senderID = try senderID?.string()
    if let replyTo { details.replyTo = .message(try Self.messageID(replyTo, "replyTo")) }
    if let thread { details.thread = .message(try Self.messageID(thread, "thread")) }
    if let edited { (details.isEdited, details.editedAt) = try Self.edited(edited) }
    if let edits { details.edits = try Self.edits(edits) }
    if let reactions { details.reactions = try Self.reactions(reactions) }
    if let attachments { details.attachments = try Self.attachments(attachments) }
    if let source { details.source = try Self.source(source) }
    if let source = details.source {
      (details.hasDoubtfulID, details.hasLocalID) = Self.doubts(of: source)
    }
    if let sendingState { details.sendingState = try Self.sendingState(sendingState.string()) }
    if let payload { details.payload = try Self.payload(payload.string()) }
    if let forwarded { details.forward = try Self.forward(forwarded) }
    // A text that is there is kept.
    if let deleted, text?.bytes.isEmpty ?? true { details.deletion = try Self.deletion(deleted) }
    if let starred { details.starredAt = try Self.starred(starred.string()) }
    return details
  }

  func conversationIdentity() throws(JSONError) -> ConversationIdentity? {
    guard let conversationSource else { return nil }
    let source = try Self.source(conversationSource)
    return source.id.flatMap { ConversationIdentity(platform: source.platform, key: $0) }
  }

  /// Whether several messages may share the id, and whether it is unique per conversation only.
  private static func doubts(of source: Message.Source) -> (hasDoubtfulID: Bool, hasLocalID: Bool) {
    switch source.platform {
    case "json-lines", "csv", "tsv": (source.id != nil, true)
    case "zulip", "mattermost": (source.id != nil, false)
    default: (false, false)
    }
  }

  /// Whether the id has Scrollback's form: other programs use the same keys.
  var hasOwnID: Bool { id.map { Self.decimal($0.bytes) != nil } ?? true }

  private static func sendingState(_ name: String) throws(JSONError) -> Message.SendingState {
    guard let state = Message.SendingState(name: name) else {
      throw JSONError(reason: "its sendingState is unknown")
    }
    return state
  }

  private static func payload(_ text: String) throws(JSONError) -> [UInt8] {
    guard let bytes = Base64.bytes(of: text) else { throw .wrongType("payload", wanted: "bytes in Base64") }
    return bytes
  }

  private static func forward(_ bytes: Bytes) throws(JSONError) -> Message.Forward? {
    if bytes.has("true") { return Message.Forward() }
    if bytes.has("false") { return nil }
    var scanner = JSONScanner(bytes)
    guard try scanner.kind() == .object else {
      throw .wrongType("forwarded", wanted: "an object, true or false")
    }
    var fields = JSONFields()
    try fields.read(&scanner)
    let time = try fields.string("time")
    guard time.map({ moment($0) != nil }) ?? true else {
      throw .wrongType("forwarded.time", wanted: "a time")
    }
    return Message.Forward(
      author: try fields.string("from"), authorID: try fields.string("id"), chat: try fields.string("chat"),
      time: time.flatMap(moment), isFrequent: fields["often"]?.has("true") ?? false,
      isQuoted: fields["quoted"]?.has("true") ?? false)
  }

  /// Other programs write `true` or `false`, which says too little.
  private static func deletion(_ bytes: Bytes) throws(JSONError) -> Message.Deletion? {
    var scanner = JSONScanner(bytes)
    guard try scanner.kind() == .object else { return nil }
    var fields = JSONFields()
    try fields.read(&scanner)
    guard let time = try fields.string("time").flatMap(moment) else {
      throw .wrongType("deleted.time", wanted: "a time")
    }
    var deletion = Message.Deletion(at: time)
    (deletion.sender, deletion.senderID) = (try fields.string("by"), try fields.string("id"))
    return deletion
  }

  private static func starred(_ text: String) throws(JSONError) -> Timestamp {
    guard let time = moment(text) else { throw .wrongType("starred", wanted: "a time") }
    return time
  }

  static func messageID(
    _ value: JSONScanner.RawString, _ key: StaticString
  ) throws(JSONError) -> Message.ID {
    guard let number = decimal(value.bytes) else { throw .wrongType(key, wanted: "a message's id") }
    return Message.ID(rawValue: number)
  }

  static func decimal(_ digits: Bytes) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard digits.count > start, digits.count <= 20 else { return nil }
    var value: Int64 = 0
    for byte in digits[start...] {
      guard byte &- 48 < 10 else { return nil }
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tenfold.subtractingReportingOverflow(Int64(byte - 48))
      guard !overflow, !overflow2 else { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  private static func edited(_ bytes: Bytes) throws(JSONError) -> (Bool, Timestamp?) {
    if bytes.has("true") { return (true, nil) }
    if bytes.has("false") { return (false, nil) }
    var scanner = JSONScanner(bytes)
    guard try scanner.kind() == .string, let time = moment(try scanner.string().string()) else {
      throw .wrongType("edited", wanted: "a time, true or false")
    }
    return (true, time)
  }

  private static func edits(_ bytes: Bytes) throws(JSONError) -> [Message.Edit] {
    var edits: [Message.Edit] = []
    try elements(bytes, "edits") { scanner throws(JSONError) in
      var fields = JSONFields()
      try fields.read(&scanner)
      guard let time = try fields.string("time"), let moment = moment(time) else {
        throw JSONError(reason: "an edit has no time")
      }
      edits.append(Message.Edit(time: moment, text: try fields.string("text") ?? ""))
    }
    return edits
  }

  static func moment(_ string: String) -> Timestamp? {
    var copy = string
    return copy.withUTF8 { ISO8601.read(Bytes($0)) }.map { reading in
      Timestamp(utc: reading.civil).advanced(byMilliseconds: -(reading.offsetMilliseconds ?? 0))
    }
  }

  private static func reactions(_ bytes: Bytes) throws(JSONError) -> [Message.Reaction] {
    var reactions: [Message.Reaction] = []
    try elements(bytes, "reactions") { scanner throws(JSONError) in
      var fields = JSONFields()
      try fields.read(&scanner)
      guard let emoji = try fields.string("emoji") else { throw JSONError(reason: "a reaction has no emoji") }
      var senders: [String] = []
      if let list = fields["senders"] {
        try elements(list, "senders") { scanner throws(JSONError) in
          senders.append(try scanner.string().string())
        }
      }
      reactions.append(Message.Reaction(emoji: emoji, senders: senders))
    }
    return reactions
  }

  private static func attachments(_ bytes: Bytes) throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    try elements(bytes, "attachments") { scanner throws(JSONError) in
      var fields = JSONFields()
      try fields.read(&scanner)
      let byteCount = fields["bytes"].flatMap(decimal).flatMap(Int.init(exactly:))
      attachments.append(
        Message.Attachment(
          name: try fields.string("name") ?? "", mediaType: try fields.string("type"), byteCount: byteCount,
          sha256: try fields.string("sha256"), path: try fields.string("path")))
    }
    return attachments
  }

  static func source(_ bytes: Bytes) throws(JSONError) -> Message.Source {
    var scanner = JSONScanner(bytes)
    var fields = JSONFields()
    try fields.read(&scanner)
    guard let platform = try fields.string("platform") else {
      throw JSONError(reason: "its source has no platform")
    }
    return Message.Source(
      platform: platform, id: try fields.string("id"), original: try fields.string("original"))
  }

  private static func elements(
    _ bytes: Bytes, _ key: StaticString, _ body: (inout JSONScanner) throws(JSONError) -> Void
  ) throws(JSONError) {
    var scanner = JSONScanner(bytes)
    guard try scanner.kind() == .array else { throw .wrongType(key, wanted: "a list") }
    try scanner.array(body)
  }
}
