internal import MessageModel

extension IRCSentence {
  /// Reads a sentence on what happened; `nil` if it is none of those that are known.
  ///
  /// - Parameter needsHost: Whether joining and leaving count only with a host after the nick, so that `* joe left the
  ///   room` remains something that joe does.
  static func event(_ sentence: Bytes, needsHost: Bool) -> IRCSentence? {
    verbFirst(sentence) ?? impersonal(sentence) ?? subjectFirst(sentence, needsHost: needsHost)
  }

  /// `Joins: nick (user@host)`
  private static func verbFirst(_ sentence: Bytes) -> IRCSentence? {
    guard let first = sentence.first, "JPQN".utf8.contains(first) else { return nil }
    for verb in verbs {
      guard let rest = sentence.after(verb.written) else { continue }
      let end = rest.position(of: 0x20) ?? rest.count
      guard end > 0 else { return nil }
      // `Nick change: a -> b`
      let text = rest.dropping(end)
      return IRCSentence(
        verb.kind, sender: rest.first(end), verb: verb.meant, text: text.has(" -> ") ? text.dropping(3) : text
      )
    }
    return nil
  }

  private static let verbs: [(written: StaticString, meant: StaticString, kind: Message.Kind)] = [
    ("Joins: ", "has joined", .join), ("Parts: ", "has left", .part), ("Quits: ", "has quit", .quit),
    ("Joins ", "has joined", .join), ("Parts ", "has left", .part), ("Quits ", "has quit", .quit),
    ("Nick change: ", "is now known as", .nick),
  ]

  /// Sentences about the channel, with nobody as their subject.
  private static func impersonal(_ sentence: Bytes) -> IRCSentence? {
    for beginning in impersonalBeginnings where sentence.has(beginning.words) {
      return IRCSentence(beginning.kind, sender: nil, text: sentence)
    }
    // `#channel: mode change '+o nick' by other`
    guard sentence.first == UInt8(ascii: "#"), let colon = sentence.position(of: UInt8(ascii: ":")),
      sentence.has(": mode change ", at: colon)
    else { return nil }
    return IRCSentence(.mode, sender: nil, text: sentence)
  }

  private static let impersonalBeginnings: [(words: StaticString, kind: Message.Kind)] = [
    ("mode/", .mode), ("Mode ", .mode), ("ServerMode/", .mode), ("Topic ", .topic), ("..[topic/", .topic),
    ("Irssi: ", .system), ("Netsplit ", .system), ("netjoined:", .system), ("Now talking ", .system),
    ("You are now known as ", .nick), ("You connected", .system), ("You disconnected", .system),
    ("Disconnected", .system), ("Channel ", .system), ("Users on ", .system), ("Set by ", .topic),
    ("Attempting to rejoin ", .system), ("Rejoined channel ", .system), ("Retrieving ", .system),
  ]

  /// `nick [user@host] has joined #channel`
  private static func subjectFirst(_ sentence: Bytes, needsHost: Bool) -> IRCSentence? {
    guard let end = sentence.position(of: 0x20), end > 0 else { return nil }
    let rest = sentence.dropping(end + 1)
    let words = withoutHost(rest)
    let hasHost = words.count < rest.count
    guard let kind = kind(of: words, joinsAndLeaves: hasHost || !needsHost) else { return nil }
    return IRCSentence(kind, sender: sentence.first(end), text: rest)
  }

  /// What follows `[user@host]`, `(user@host)` or `<user@host>`.
  private static func withoutHost(_ rest: Bytes) -> Bytes {
    let inner = rest.withoutLeadingSpaces
    guard let first = inner.first else { return rest }
    let closing: UInt8
    switch first {
    case UInt8(ascii: "["): closing = UInt8(ascii: "]")
    case UInt8(ascii: "("): closing = UInt8(ascii: ")")
    case UInt8(ascii: "<"): closing = UInt8(ascii: ">")
    default: return rest
    }
    guard let end = inner.position(of: closing) else { return rest }
    return inner.dropping(end + 1).withoutLeadingSpaces
  }

  private static func kind(of words: Bytes, joinsAndLeaves: Bool) -> Message.Kind? {
    for verb in predicates where words.has(verb.words) {
      if verb.isCertain { return verb.kind }
      let end = verb.words.utf8CodeUnitCount
      guard end == words.count || !isLetter(words[end]) else { continue }
      let isComingOrGoing = verb.kind == .join || verb.kind == .part || verb.kind == .quit
      return !isComingOrGoing || joinsAndLeaves ? verb.kind : nil
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static let predicates: [(words: StaticString, kind: Message.Kind, isCertain: Bool)] = [
    ("has joined #", .join, true), ("has left #", .part, true), ("has quit (", .quit, true),
    ("joined", .join, false), ("left irc", .quit, false), ("left", .part, false),
    ("has joined", .join, false),
    ("has left", .part, false), ("has quit", .quit, false), ("quit", .quit, false),
    ("is now known as", .nick, false), ("sets mode", .mode, false), ("changes topic", .topic, false),
    ("changed the topic", .topic, false), ("has changed the topic", .topic, false),
    ("has changed topic", .topic, false), ("sets the topic", .topic, false), ("set the topic", .topic, false),
    ("was kicked", .kick, false), ("has been kicked", .kick, false), ("has kicked", .kick, false),
    ("kicked from #", .kick, true),
  ]
}
