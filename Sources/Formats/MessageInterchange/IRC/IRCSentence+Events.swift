internal import MessageModel

extension IRCSentence {
  /// `nil` if the sentence is not a known one. With `needsHost`, joins and parts only count with a host after
  /// the nick, so that `* joe left the room` remains an action.
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

  /// Sentences about the channel, without a nick as subject.
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
    ("You've invited ", .system), ("You have been invited to ", .system), ("You have left channel ", .part),
    ("You have been kicked from ", .kick), ("You have been killed by ", .kick), ("Cannot join ", .system),
    ("Connected. Now logging in", .system), ("Connecting to ", .system), ("Connection failed", .system),
    ("Looking up ", .system), ("Stopped previous connection attempt", .system), ("Unknown host.", .system),
    ("Notify: ", .system), ("Ping reply from ", .system), ("No ping reply for ", .system),
    ("Received a CTCP ", .system), ("Received a DCC ", .system), ("DCC SEND ", .system),
    ("DCC RECV ", .system),
    ("DCC CHAT ", .system), ("DCC RECV: ", .system), ("Offering '", .system), ("Offering DCC CHAT ", .system),
    ("Capabilities ", .system), ("Authenticating via SASL", .system), ("Found your IP: ", .system),
    ("Nickname is erroneous or already in use", .system), ("Nickname already in use", .system),
    ("MOTD Skipped", .system), ("Socket closed", .system),
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

  /// The text after `[user@host]`, `(user@host)` or `<user@host>`.
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
      let end = verb.words.utf8CodeUnitCount
      switch verb.ending {
      case .anything: return verb.kind
      case .word:
        let last = words.dropping(end)
        if !last.isEmpty, last.position(of: 0x20) == nil { return verb.kind }
      case .nothing:
        if end == words.count { return verb.kind }
      case .boundary:
        guard end == words.count || !isLetter(words[end]) else { continue }
        let isComingOrGoing = verb.kind == .join || verb.kind == .part || verb.kind == .quit
        return !isComingOrGoing || joinsAndLeaves ? verb.kind : nil
      }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// The ending required after the words of an event.
  private enum Ending {
    /// Nothing: the words are unmistakable.
    case anything
    /// One word and nothing more, so that people's own statements stay actions.
    case word
    case nothing
    /// No letter; and in some dialects joins and parts only count with a host.
    case boundary
  }

  private typealias Predicate = (words: StaticString, kind: Message.Kind, ending: Ending)

  private static let predicates: [Predicate] =
    [
      ("has joined #", .join, .anything), ("has left #", .part, .anything), ("has quit (", .quit, .anything),
      ("joined", .join, .boundary), ("left irc", .quit, .boundary), ("left", .part, .boundary),
      ("has joined", .join, .boundary),
      ("has left", .part, .boundary), ("has quit", .quit, .boundary), ("quit", .quit, .boundary),
      ("is now known as", .nick, .boundary), ("sets mode", .mode, .boundary),
      ("changes topic", .topic, .boundary),
      ("changed the topic", .topic, .boundary), ("has changed the topic", .topic, .boundary),
      ("has changed topic", .topic, .boundary), ("sets the topic", .topic, .boundary),
      ("set the topic", .topic, .boundary), ("changed topic to", .topic, .boundary),
      ("changed nick to ", .nick, .word), ("→ ", .nick, .word), ("set mode", .mode, .boundary),
      ("set +", .mode, .anything), ("set -", .mode, .anything),
      // The Lounge before 2018 names the kind: `nick (user@host) join`, `nick nick other`.
      ("join", .join, .nothing), ("part", .part, .nothing), ("nick ", .nick, .word),
      ("mode +", .mode, .anything), ("mode -", .mode, .anything),
      ("was kicked", .kick, .boundary), ("has been kicked", .kick, .boundary),
      ("has kicked", .kick, .boundary),
      ("kicked from #", .kick, .anything),
    ] + channelModes + translations

  private static let channelModes: [Predicate] = [
    ("gives channel operator status to ", .mode, .word),
    ("gives channel half-operator status to ", .mode, .word),
    ("gives voice to ", .mode, .word), ("removes channel operator status from ", .mode, .word),
    ("removes channel half-operator status from ", .mode, .word), ("removes voice from ", .mode, .word),
    ("sets ban on ", .mode, .word), ("removes ban on ", .mode, .word), ("sets quiet on ", .mode, .word),
    ("removes quiet on ", .mode, .word), ("sets exempt on ", .mode, .word),
    ("removes exempt on ", .mode, .word),
    ("sets invite exempt on ", .mode, .word), ("removes invite exempt on ", .mode, .word),
    ("sets invite on ", .mode, .word), ("removes invite on ", .mode, .word),
    ("sets channel keyword to ", .mode, .word), ("removes channel keyword", .mode, .nothing),
    ("sets channel limit to ", .mode, .word), ("removes user limit", .mode, .nothing),
    ("sets modes [", .mode, .anything), ("has been invited to #", .system, .anything),
  ]

  private static let translations: [Predicate] = [
    ("ist beigetreten", .join, .boundary), ("ist gegangen", .part, .boundary),
    ("hat die Verbindung getrennt (", .quit, .anything), ("heißt jetzt ", .nick, .word),
    ("gibt Channel-Operator-Status an ", .mode, .word),
    ("vient de rentrer", .join, .boundary), ("est parti", .part, .boundary),
    ("a quitté (", .quit, .anything), ("est maintenant connu sous le nom de ", .nick, .word),
    ("a donné l'état d'opérateur de canal à ", .mode, .word),
    ("se ha unido", .join, .boundary), ("ha salido", .part, .boundary),
    ("se ha marchado (", .quit, .anything),
    ("ahora es conocido como ", .nick, .word),
    ("è entrato", .join, .boundary), ("ha abbandonato", .part, .boundary),
    ("ha chiuso la connessione (", .quit, .anything), ("è ora conosciuto come ", .nick, .word),
    ("entrou", .join, .boundary), ("saiu", .part, .boundary), ("desconectou-se (", .quit, .anything),
    ("mudou de apelido para ", .nick, .word),
    ("dołączył/a", .join, .boundary), ("wyszedł/a", .part, .boundary),
    ("rozłączył/a się (", .quit, .anything), ("jest znany teraz jako ", .nick, .word),
    ("был добавлен", .join, .boundary), ("вышел", .part, .boundary),
    ("теперь известен как ", .nick, .word),
    ("har gått in", .join, .boundary), ("har lämnat", .part, .boundary), ("har avslutat (", .quit, .anything),
    ("är nu känd som ", .nick, .word),
    ("deltager", .join, .boundary), ("er gået", .part, .boundary), ("har afsluttet (", .quit, .anything),
    ("er nu kendt som ", .nick, .word),
    ("har blitt med", .join, .boundary), ("forlot", .part, .boundary), ("har avsluttet (", .quit, .anything),
    ("er nå kjent som ", .nick, .word),
  ]

  /// An event of unknown words about a user with a host: only programs name hosts.
  static func eventOfHost(_ sentence: Bytes) -> IRCSentence? {
    guard let end = sentence.position(of: 0x20), end > 0 else { return nil }
    let rest = sentence.dropping(end + 1)
    guard rest.first == UInt8(ascii: "("), let close = rest.position(of: UInt8(ascii: ")")),
      let at = rest.position(of: UInt8(ascii: "@")), at > 1, at < close - 1,
      rest.first(close).position(of: 0x20) == nil
    else { return nil }
    return IRCSentence(.system, sender: sentence.first(end), text: rest)
  }
}
