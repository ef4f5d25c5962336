internal import Foundation
internal import MessageModel

/// The text in a message's body, an NSAttributedString in NeXT's typedstream or, in old messages, a keyed
/// archive; newer systems write it nowhere else. Only its string is read: in a typedstream the class name,
/// the type `+`, the length and the UTF-8; in an archive the first string.
enum IMessageText {
  static func text(of body: Bytes) -> String? {
    body.has("bplist00") ? archivedText(body) : streamedText(body)
  }

  private static func archivedText(_ body: Bytes) -> String? {
    guard body.count <= PropertyList.bound, let archive = PropertyList.read(body) as? [String: Any],
      let objects = archive["$objects"] as? [Any]
    else { return nil }
    for object in objects.dropFirst() {
      if let text = object as? String { return text }
      if let object = object as? [String: Any], let text = object["NS.string"] as? String { return text }
    }
    return nil
  }

  private static func streamedText(_ body: Bytes) -> String? {
    guard body.position(of: 0x0B) != nil, contains(body.first(min(body.count, 64)), "streamtyped"),
      var position = end(of: "NSString", in: body)
    else { return nil }
    let last = min(position + 12, body.count)
    guard let plus = body[position..<last].firstIndex(of: UInt8(ascii: "+")) else { return nil }
    position = plus + 1
    guard let count = length(in: body, at: &position), position + count <= body.count else { return nil }
    return Bytes(rebasing: body[position..<position + count]).string
  }

  /// The words of a recording. They follow their attribute's name, behind marks of the stream from 0x84 on.
  static func transcription(in body: Bytes) -> String? {
    guard !body.has("bplist00"), var position = end(of: "IMAudioTranscription", in: body) else { return nil }
    let last = min(position + 12, body.count)
    guard let start = body[position..<last].firstIndex(where: { $0 < 0x84 }) else { return nil }
    position = start
    guard let count = length(in: body, at: &position), count > 0, position + count <= body.count else {
      return nil
    }
    let words = Bytes(rebasing: body[position..<position + count])
    return UTF8Check.isValid(words) ? words.string : nil
  }

  /// A byte, or 0x81 and two bytes, or 0x82 and four, little-endian.
  private static func length(in body: Bytes, at position: inout Int) -> Int? {
    guard position < body.count else { return nil }
    let first = body[position]
    position += 1
    guard first >= 0x80 else { return Int(first) }
    let width = first == 0x81 ? 2 : first == 0x82 ? 4 : 0
    guard width > 0, position + width <= body.count else { return nil }
    var value = 0
    for offset in (0..<width).reversed() { value = value << 8 | Int(body[position + offset]) }
    position += width
    return value
  }

  private static func contains(_ bytes: Bytes, _ word: StaticString) -> Bool {
    end(of: word, in: bytes) != nil
  }

  private static func end(of word: StaticString, in bytes: Bytes) -> Int? {
    var position = 0
    while let found = bytes.position(of: word.utf8Start.pointee, from: position) {
      if bytes.has(word, at: found) { return found + word.utf8CodeUnitCount }
      position = found + 1
    }
    return nil
  }
}

/// A message's edit history (`message_summary_info`): the earlier texts of its parts.
struct IMessageChanges {
  /// Each part's texts in order; the last one is current.
  private var parts: [[Message.Edit]] = []
  private(set) var isUnsent = false

  /// A damaged property list counts as missing.
  init(_ bytes: Bytes) {
    guard let summary = PropertyList.read(bytes) as? [String: Any] else { return }
    isUnsent = (summary["rp"] as? [Any])?.isEmpty == false
    guard let parts = summary["ec"] as? [String: Any] else { return }
    for key in parts.keys.sorted() {
      self.parts.append((parts[key] as? [[String: Any]] ?? []).compactMap(Self.text))
    }
  }

  func earlierTexts() -> [Message.Edit] {
    guard parts.count == 1, let texts = parts.first, texts.count > 1 else { return [] }
    return zip(texts, texts.dropFirst()).map { Message.Edit(time: $1.time, text: $0.text) }
  }

  /// `t` is the text's body, `d` its time since 2001.
  private static func text(_ event: [String: Any]) -> Message.Edit? {
    guard let body = event["t"] as? Data, let date = number(event["d"]),
      let text = body.withUnsafeBytes({ IMessageText.text(of: $0) })
    else { return nil }
    // Usually seconds; other columns of the database count nanoseconds.
    let seconds = abs(date) < 100_000_000_000 ? date : date / 1_000_000_000
    guard let milliseconds = Int64(exactly: (seconds * 1_000).rounded()) else { return nil }
    return Message.Edit(
      time: Timestamp(millisecondsSince1970: milliseconds + 978_307_200_000), text: text)
  }

  private static func number(_ value: Any?) -> Double? {
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate }
    return value as? Double ?? (value as? Int).map(Double.init)
  }
}

/// The reactions in a `chat.db`, which are rows among the messages and may withdraw others.
struct IMessageTapbacks {
  private var reactions: [String: ImportDetails] = [:]
  private static let most = 500_000

  init(_ rows: SQLiteRows, me: String) throws(InterchangeError) {
    var count = 0
    while try rows.next(), count < Self.most {
      count += 1
      guard let target = rows.text(0).map(Self.target) else { continue }
      let type = Int(rows.integer(1))
      let emoji = Self.emoji(type % 1_000, own: rows.text(2))
      let sender = rows.integer(4) != 0 ? me : rows.text(3) ?? "unknown"
      if type < 3_000 {
        reactions[target, default: ImportDetails()].addReaction(emoji, by: sender)
      } else {
        takeBack(emoji, by: sender, from: target)
      }
    }
  }

  func reactions(to guid: String) -> [Message.Reaction] { reactions[guid]?.reactions ?? [] }

  private mutating func takeBack(_ emoji: String, by sender: String, from target: String) {
    guard var known = reactions[target]?.reactions,
      let place = known.firstIndex(where: { $0.emoji == emoji }),
      let who = known[place].senders.firstIndex(of: sender)
    else { return }
    known[place].senders.remove(at: who)
    if known[place].senders.isEmpty { known.remove(at: place) }
    reactions[target]?.reactions = known
  }

  /// `p:0/GUID` and `bp:GUID` are parts of the message `GUID`.
  static func target(_ written: String) -> String {
    if let slash = written.lastIndex(of: "/") { return String(written[written.index(after: slash)...]) }
    return written.hasPrefix("bp:") ? String(written.dropFirst(3)) : written
  }

  private static func emoji(_ type: Int, own: String?) -> String {
    let usual = ["❤️", "👍", "👎", "😂", "‼️", "❓"]
    return usual.indices.contains(type) ? usual[type] : own ?? "sticker"
  }
}

enum PropertyList {
  static let bound = 4 << 20

  static func read(_ bytes: Bytes) -> Any? {
    guard bytes.has("bplist00"), bytes.count <= bound else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }
}
