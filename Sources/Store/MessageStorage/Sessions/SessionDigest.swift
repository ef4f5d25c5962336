internal import GRDB
internal import MessageModel

/// Collects the facts of an assistant's session from its messages in order.
struct SessionDigest {
  private(set) var oldest: Int64?
  private(set) var newest: Int64?
  private(set) var count = 0
  var question: (id: Int64, title: String)?
  private(set) var failureCount = 0
  private(set) var usage = SessionNote()
  private(set) var uses: [SessionWord: Int] = [:]
  /// The last typed command, which may turn out to be a question.
  private var command: (id: Int64, title: String)?
  private var speakers: [Int64: Speaker] = [:]

  private struct Speaker {
    /// The id on the platform, which an assistant's model is.
    var external: String
    /// Whether they thought or called a tool.
    var isAtWork = false
  }

  /// The most distinct words; a hostile file has more.
  private static let mostWords = 16_384
  private static let mostSpeakers = 1_024

  mutating func read(_ conversation: Int64, after id: Int64, in db: Database) throws {
    let rows = try RawStatement(
      db,
      """
      SELECT id, kind, sender, iif(bytes IS NULL OR kind = 15, text,
          text || ifnull((SELECT substr(b.text, 1, 4096) FROM body AS b WHERE b.id = message.id), ''))
        FROM message WHERE conversation = ? AND id > ? ORDER BY id
      """, conversation, id)
    defer { rows.reset() }
    while try rows.step() {
      let sender = rows.optionalInt(2)
      if let sender { try meet(sender, in: db) }
      take(rows, sender, Message.Kind(rawValue: Int(rows.int(1))) ?? .unknown)
    }
  }

  private mutating func meet(_ sender: Int64, in db: Database) throws {
    guard speakers[sender] == nil else { return }
    if speakers.count >= Self.mostSpeakers { speakers = [:] }
    let external = try RawStatement(db, "SELECT external FROM sender WHERE id = ?", sender).first {
      $0.text(0)
    }
    speakers[sender] = Speaker(external: external ?? "")
  }

  private mutating func take(_ row: RawStatement, _ sender: Int64?, _ kind: Message.Kind) {
    let id = row.int(0)
    count += 1
    oldest = oldest ?? id
    newest = id
    switch kind {
    case .text:
      noteModel(of: sender)
      if question == nil { takeText(row, id, sender) }
    case .thinking: noteWork(of: sender)
    case .tool:
      noteWork(of: sender)
      row.withBytes(3) { takeCall($0) }
    case .result: noteFailure(row)
    case .system:
      noteFailure(row)
      if sender == nil { row.withBytes(3) { takeUsage($0) } }
    case .action, .notice, .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .unknown: break
    }
  }

  private mutating func noteModel(of sender: Int64?) {
    guard let model = sender.flatMap({ speakers[$0]?.external }), !model.isEmpty else { return }
    note(SessionWord(.model, model))
  }

  private mutating func noteWork(of sender: Int64?) {
    noteModel(of: sender)
    if let sender { speakers[sender]?.isAtWork = true }
    answerCommand()
  }

  private mutating func note(_ word: SessionWord) {
    if uses[word] == nil, uses.count >= Self.mostWords { return }
    uses[word, default: 0] += 1
  }

  /// A command with a reply was a question; the program itself runs others, such as `/exit`.
  private mutating func answerCommand() {
    if question == nil, let command { question = command }
  }

  private mutating func takeText(_ row: RawStatement, _ id: Int64, _ sender: Int64?) {
    if let speaker = sender.flatMap({ speakers[$0] }), speaker.isAtWork || !speaker.external.isEmpty {
      return answerCommand()
    }
    guard let title = Self.title(of: row.text(3)) else { return }
    if Self.isCommand(title) { command = (id, title) } else { question = (id, title) }
  }

  private static let longestTitle = 200

  /// Returns the first non-empty line; `nil` if a program wrote the text in a person's name.
  private static func title(of text: String) -> String? {
    guard !text.hasPrefix("[Request interrupted") else { return nil }
    return text.firstLine?.inOneLine(limit: longestTitle)
  }

  private static func isCommand(_ title: String) -> Bool {
    guard title.first == "/" else { return false }
    let word = title.dropFirst().prefix { !$0.isWhitespace }
    return !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_:".contains($0) }
  }

  private mutating func noteFailure(_ row: RawStatement) {
    if row.withBytes(3, { FailureMark.begins($0) }) { failureCount += 1 }
  }

  private mutating func takeUsage(_ text: UnsafeRawBufferPointer) {
    guard text.begins(with: "session: ") || text.contains(word: "Tokens: ") else { return }
    UsageText.add(String(decoding: text, as: UTF8.self), to: &usage)
  }

  private mutating func takeCall(_ text: UnsafeRawBufferPointer) {
    let call = SessionCall(text)
    guard let name = call.name else { return }
    note(SessionWord(.tool, name))
    for file in call.files { note(SessionWord(.file, file)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a word begins within the first 512 bytes.
  fileprivate func contains(word text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return false }
    for start in 0...(Swift.min(count, 512 + length) - length) where self[start] == text.utf8Start[0] {
      if UnsafeRawBufferPointer(rebasing: self[start...]).begins(with: text) { return true }
    }
    return false
  }
}

/// Parses tokens and costs in a session's messages, as history readers and aider write them: `Tokens: 1200
/// sent (1000 of them cached), 80 received. Cost: $0.01.` for some replies, `session: 1200 tokens in, 80 out,
/// $0.01` for all.
enum UsageText {
  static func add(_ text: String, to note: inout SessionNote) {
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 64) {
      let line = Substring(bytes)
      if let total = line.dropping("session: ") {
        addTotal(total, to: &note)
      } else if let start = line.firstBytes(of: "Tokens: "), isStart(start.lowerBound, of: line) {
        addTurn(line[start.upperBound...], to: &note)
      }
    }
  }

  /// Whether a line has only a model's name before a place.
  private static func isStart(_ place: Substring.Index, of line: Substring) -> Bool {
    place == line.startIndex || line[..<place].hasSuffix(": ")
  }

  private static func addTotal(_ text: Substring, to note: inout SessionNote) {
    var (sent, received, cost): (Int64?, Int64?, Int64?)
    for part in text.split(separator: ", ") {
      if part.hasSuffix(" tokens in") { sent = count(part) }
      if part.hasSuffix(" out") { received = count(part) }
      if part.hasPrefix("$") { cost = dollars(part) }
    }
    note.add(sent: sent, cached: nil, received: received, cost: cost)
  }

  private static func addTurn(_ text: Substring, to note: inout SessionNote) {
    var (sent, cached, received): (Int64?, Int64?, Int64?)
    let price = text.firstBytes(of: "Cost: ")
    let counts = text[..<(price?.lowerBound ?? text.endIndex)]
    for part in counts.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "(") }) {
      let words = part.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
      guard words.count == 2 else { continue }
      if words[1].hasPrefix("sent") { sent = count(words[0]) }
      if words[1].hasPrefix("of them cached") || words[1].hasPrefix("cache hit") { cached = count(words[0]) }
      if words[1].hasPrefix("received") { received = count(words[0]) }
    }
    note.add(
      sent: sent, cached: cached, received: received, cost: price.flatMap { dollars(text[$0.upperBound...]) })
  }

  /// Parses a leading number, with `k` for thousands or `M` for millions.
  private static func count(_ text: some StringProtocol) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(String(digits)), number >= 0, number < 1e15 else { return nil }
    switch text.dropFirst(digits.count).first {
    case "k", "K": return Int64((number * 1e3).rounded())
    case "m", "M": return Int64((number * 1e6).rounded())
    default: return Int64(number)
    }
  }

  /// In millionths.
  private static func dollars(_ text: Substring) -> Int64? {
    guard text.first == "$" else { return nil }
    var digits = text.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    // The point may end the sentence.
    if digits.last == "." { digits = digits.dropLast() }
    guard let amount = Double(String(digits)), amount >= 0, amount < 1e12 else { return nil }
    return Int64((amount * 1e6).rounded())
  }
}

extension Substring {
  fileprivate func dropping(_ beginning: String) -> Substring? {
    hasPrefix(beginning) ? dropFirst(beginning.count) : nil
  }
}
