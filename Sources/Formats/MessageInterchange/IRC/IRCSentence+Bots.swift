internal import MessageModel

extension IRCSentence {
  private typealias Verb = (written: StaticString, meant: StaticString, kind: Message.Kind)

  private static let botVerbs: [Verb] = [
    ("joining.", "has joined", .join), ("leaving.", "has left", .part), ("quitting.", "has quit", .quit),
    ("changing nick to", "is now known as", .nick),
  ]

  /// `nick, joining. (#channel)`
  static func botEvent(_ sentence: Bytes) -> IRCSentence? {
    guard let end = sentence.position(of: 0x20), end > 1, sentence[end - 1] == UInt8(ascii: ",") else {
      return nil
    }
    let words = sentence.dropping(end + 1)
    for verb in botVerbs {
      guard let rest = words.after(verb.written) else { continue }
      // The new nick ends with the sentence.
      let isNick = verb.kind == .nick && rest.last == UInt8(ascii: ".")
      return IRCSentence(
        verb.kind, sender: sentence.first(end - 1), verb: verb.meant,
        text: isNick ? rest.first(rest.count - 1) : rest)
    }
    return nil
  }

  private static let hostVerbs: [Verb] = [
    ("Quit", "has quit", .quit), ("has quit", "has quit", .quit), ("Join", "has joined", .join),
    ("has joined", "has joined", .join), ("Part", "has left", .part), ("has left", "has left", .part),
  ]

  /// `nick (user@host) Quit (why)`; the sentence gets the words for the event that other programs write.
  static func hostEvent(_ sentence: Bytes) -> IRCSentence? {
    guard let known = eventOfHost(sentence), let nick = known.sender,
      let close = known.text.position(of: UInt8(ascii: ")"))
    else { return nil }
    let words = known.text.dropping(close + 1).withoutLeadingSpaces
    guard let verb = hostVerbs.first(where: { words.has($0.written) }) else { return known }
    return IRCSentence(verb.kind, sender: nick, text: known.text)
  }
}
