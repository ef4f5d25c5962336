internal import GRDB
internal import HistoryModel
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
