internal import MessageModel

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
  private static func target(_ written: String) -> String {
    if let slash = written.lastIndex(of: "/") { return String(written[written.index(after: slash)...]) }
    return written.hasPrefix("bp:") ? String(written.dropFirst(3)) : written
  }

  private static func emoji(_ type: Int, own: String?) -> String {
    let usual = ["❤️", "👍", "👎", "😂", "‼️", "❓"]
    return usual.indices.contains(type) ? usual[type] : own ?? "sticker"
  }
}
