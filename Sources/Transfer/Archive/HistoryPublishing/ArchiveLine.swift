internal import MessageModel
internal import MessagePostgres

struct ArchiveLine {
  var conversation: Int64
  var id: Int64
  /// A hash of all published data of the message.
  var digest: Int64
  var sender: Int64?
  var kind: Int64
  var features: Int64
  var bytes: [UInt8]
}

struct ArchiveLineWriter {
  private let numbers: ArchiveNumbers
  private let hasWords: Bool
  private var folded = FoldedWords()
  /// The number of U+0000, which PostgreSQL cannot store, that were replaced by U+2400.
  private(set) var replacedCount = 0

  /// The longest text, in bytes, that is indexed whole.
  private static let mostIndexed = 1 << 20

  init(_ numbers: ArchiveNumbers, hasWords: Bool) {
    self.numbers = numbers
    self.hasWords = hasWords
  }

  static let columns = """
    conversation, id, store, sender, kind, precision, text, bytes, rest, reply_to, thread, revision, features,
      details, origin, digest, words
    """

  /// The longest text within a page, in bytes; the remainder goes into `rest`.
  static let previewLength = 4_096

  mutating func line(of record: MessageRecord) -> ArchiveLine {
    let record = kept(record)
    let message = record.message
    let conversation = numbers.number(of: message.conversation)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * message.text.utf8.count + 160)
    append(conversation, to: &bytes)
    append(message.id.rawValue, to: &bytes)
    append(numbers.store, to: &bytes)
    let sender = message.sender.map { numbers.number(of: $0.id) }
    let features = Self.features(of: message)
    append(sender, to: &bytes)
    append(Int64(message.kind.rawValue), to: &bytes)
    append(Int64(message.precision.rawValue), to: &bytes)
    appendText(message.text, to: &bytes)
    append(message.replyTo?.rawValue, to: &bytes)
    append(message.thread?.rawValue, to: &bytes)
    append(Int64(message.revision), to: &bytes)
    append(features, to: &bytes)
    append(MessageDetails(message)?.json, to: &bytes)
    append(MessageOrigin(record)?.json, to: &bytes)
    let digest = Int64(bitPattern: Self.hash(bytes))
    append(digest, to: &bytes)
    appendWords(of: message.kind, message.text, to: &bytes)
    return ArchiveLine(
      conversation: conversation, id: message.id.rawValue, digest: digest, sender: sender,
      kind: Int64(message.kind.rawValue), features: features, bytes: bytes)
  }

  private mutating func kept(_ record: MessageRecord) -> MessageRecord {
    var record = record
    record.message.text = kept(record.message.text)
    for index in record.message.attachments.indices {
      record.message.attachments[index].name = kept(record.message.attachments[index].name)
    }
    for index in record.message.reactions.indices {
      record.message.reactions[index].emoji = kept(record.message.reactions[index].emoji)
      record.message.reactions[index].senders = record.message.reactions[index].senders.map { kept($0) }
    }
    if let forward = record.message.forward {
      record.message.forward?.author = forward.author.map { kept($0) }
      record.message.forward?.authorID = forward.authorID.map { kept($0) }
      record.message.forward?.chat = forward.chat.map { kept($0) }
    }
    if let deletion = record.message.deletion {
      record.message.deletion?.sender = deletion.sender.map { kept($0) }
      record.message.deletion?.senderID = deletion.senderID.map { kept($0) }
    }
    for index in record.edits.indices { record.edits[index].text = kept(record.edits[index].text) }
    if let original = record.source?.original { record.source?.original = kept(original) }
    if let id = record.source?.id { record.source?.id = kept(id) }
    return record
  }

  mutating func kept(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    replacedCount += text.utf8.count { $0 == 0 }
    return text.replacing("\0", with: "\u{2400}")
  }

  private func appendText(_ text: String, to bytes: inout [UInt8]) {
    let utf8 = text.utf8
    guard utf8.count > Self.previewLength else {
      append(text, to: &bytes)
      append(Int64?.none, to: &bytes)
      return append(String?.none, to: &bytes)
    }
    var end = utf8.index(utf8.startIndex, offsetBy: Self.previewLength)
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    append(String(decoding: utf8[..<end], as: UTF8.self), to: &bytes)
    append(Int64(utf8.count), to: &bytes)
    append(String(decoding: utf8[end...], as: UTF8.self), to: &bytes)
  }

  private static func features(of message: Message) -> Int64 {
    var features: Int64 = 0
    if !message.attachments.isEmpty { features |= ArchiveFeature.attachment }
    if hasLink(message.text) { features |= ArchiveFeature.link }
    if message.isEdited { features |= ArchiveFeature.edit }
    if !message.reactions.isEmpty { features |= ArchiveFeature.reaction }
    if message.replyTo != nil || message.awaitedReply != nil { features |= ArchiveFeature.reply }
    if message.writtenAt != nil { features |= ArchiveFeature.writtenAt }
    if message.forward != nil { features |= ArchiveFeature.forward }
    return features
  }

  private static func hasLink(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
    return text.contains("http://") || text.contains("https://")
  }

  /// Appends the words of messages; events have none, as in the store.
  private mutating func appendWords(of kind: Message.Kind, _ text: String, to bytes: inout [UInt8]) {
    guard hasWords, kind.isSearched else { return bytes.append(contentsOf: Self.null + [0x0A]) }
    let start = bytes.count
    let indexed = text.utf8.count > Self.mostIndexed ? String(text.prefix(Self.mostIndexed / 4)) : text
    folded.appendVector(of: indexed, to: &bytes)
    if bytes.count == start { bytes.append(contentsOf: Self.null) }
    bytes.append(0x0A)
  }

  private static let null = Array(#"\N"#.utf8)
  private static let tab: UInt8 = 0x09

  private func append(_ number: Int64?, to bytes: inout [UInt8]) {
    if let number { bytes.append(contentsOf: String(number).utf8) } else { bytes += Self.null }
    bytes.append(Self.tab)
  }

  private func append(_ text: String?, to bytes: inout [UInt8]) {
    guard var text else {
      bytes += Self.null
      return bytes.append(Self.tab)
    }
    text.withUTF8 { utf8 in
      for byte in utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += Self.escapedBackslash
        case 0x0A: bytes += Self.escapedLine
        case 0x0D: bytes += Self.escapedReturn
        case 0x09: bytes += Self.escapedTab
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(Self.tab)
  }

  private static let escapedBackslash = Array(#"\\"#.utf8)
  private static let escapedLine = Array(#"\n"#.utf8)
  private static let escapedReturn = Array(#"\r"#.utf8)
  private static let escapedTab = Array(#"\t"#.utf8)

  /// 64-bit FNV-1a: other programs can compute it, too.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBufferPointer { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return hash
    }
  }
}
