/// A line of JSON Lines, split into the values of known keys, which point into the line.
///
/// Keys may come in any order, a repeated key's last value counts, unknown keys are ignored, and `null` is
/// the same as a missing key.
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
  var importNumber: Bytes?

  var hasDetails: Bool {
    id != nil || senderID != nil || replyTo != nil || thread != nil || edited != nil || edits != nil
      || reactions != nil || attachments != nil || source != nil || sendingState != nil || payload != nil
      || starred != nil
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
    case 7 where key.equals("starred"): starred = try Self.string(&scanner, "starred")
    case 8 where key.equals("senderID"): senderID = try Self.string(&scanner, "senderID")
    case 9 where key.equals("precision"): precision = try Self.string(&scanner, "precision")
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
