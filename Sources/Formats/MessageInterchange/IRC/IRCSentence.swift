internal import MessageModel

/// The sender of an event is its subject, and the text is the sentence without it: `alice has joined #c`
/// becomes `has joined #c` by `alice`. If a program puts the verb first (`Joins: alice (a@host)`), the text
/// begins with the usual verb (`has joined (a@host)`). An unknown sentence is kept whole, of the kind
/// *system* and without a sender.
struct IRCSentence {
  var kind: Message.Kind
  var sender: Bytes?
  var verb: StaticString?
  var text: Bytes
  var isMine = false

  init?(_ rest: Bytes, shapes: [IRCShape], rankMarks: StaticString) {
    for shape in shapes {
      if let found = Self.read(rest, shape, rankMarks) {
        self = found
        return
      }
    }
    return nil
  }

  init(
    _ kind: Message.Kind, sender: Bytes?, verb: StaticString? = nil, text: Bytes, isMine: Bool = false
  ) {
    self.kind = kind
    self.isMine = isMine
    self.sender = sender
    self.verb = verb
    self.text = text
  }

  private static func read(_ rest: Bytes, _ shape: IRCShape, _ rankMarks: StaticString) -> IRCSentence? {
    switch shape {
    case .said: said(rest, rankMarks)
    case .saidBeforeColon: saidBeforeColon(rest)
    case .saidAfter(let mark): rest.after(mark).flatMap { said($0, rankMarks) }
    case .knownEvent: event(rest, needsHost: true)
    case .botEvent: botEvent(rest)
    case .hostEvent(let mark): rest.after(mark).flatMap(hostEvent)
    case .columns: columns(rest, rankMarks)
    case .notice: notice(rest)
    case .direct: direct(rest)
    case .action(let mark): rest.after(mark).flatMap { action($0, rankMarks) }
    case .actionOrEvent(let mark):
      rest.after(mark).flatMap {
        event($0, needsHost: true) ?? eventOfHost($0) ?? action($0, rankMarks)
      }
    case .event(let mark):
      rest.after(mark).map { event($0, needsHost: false) ?? IRCSentence(.system, sender: nil, text: $0) }
    case .eventWithHost(let mark):
      rest.after(mark).map { event($0, needsHost: true) ?? IRCSentence(.system, sender: nil, text: $0) }
    }
  }

  private static func said(_ rest: Bytes, _ rankMarks: StaticString) -> IRCSentence? {
    guard rest.count > 2, rest[0] == UInt8(ascii: "<") else { return nil }
    var close = rest.position(of: UInt8(ascii: ">"), from: 2)
    while let found = close, found + 1 < rest.count, rest[found + 1] != 0x20, rest[found + 1] != 0x09 {
      close = rest.position(of: UInt8(ascii: ">"), from: found + 1)
    }
    guard let close else { return nil }
    let nick = Bytes(rebasing: rest[1..<close])
    let text = rest.dropping(min(close + 2, rest.count))
    return IRCSentence(.text, sender: withoutRank(nick, rankMarks), text: text)
  }

  private static func saidBeforeColon(_ rest: Bytes) -> IRCSentence? {
    guard let colon = rest.position(of: UInt8(ascii: ":")), colon > 0, colon + 1 < rest.count,
      rest[colon + 1] == 0x20, !rest.first(colon).contains(0x20)
    else { return nil }
    return IRCSentence(.text, sender: rest.first(colon), text: rest.dropping(colon + 2))
  }

  private static func notice(_ rest: Bytes) -> IRCSentence? {
    guard rest.count > 3, rest[0] == UInt8(ascii: "-"),
      let end = rest.firstIndex(where: { $0 == 0x20 || $0 == 0x09 }), end > 2,
      rest[end - 1] == UInt8(ascii: "-")
    else { return nil }
    let name = Bytes(rebasing: rest[1..<end - 1])
    let text = rest.dropping(end + 1)
    if isAddressed(name) {
      return IRCSentence(.notice, sender: nil, text: text, isMine: true)
    }
    let nick =
      name.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
      .map { name.first($0) } ?? name
    guard !nick.isEmpty, nick[0] != UInt8(ascii: "-"), nick[0] != UInt8(ascii: "!") else { return nil }
    return IRCSentence(.notice, sender: nick, text: text)
  }

  private static func direct(_ rest: Bytes) -> IRCSentence? {
    guard let tab = rest.position(of: 0x09), tab > 2, rest.first(tab).position(of: 0x20) == nil else {
      return nil
    }
    let (name, text) = (rest.first(tab), rest.dropping(tab + 1))
    if isAddressed(name) {
      let kind: Message.Kind = text.has("CTCP ") ? .system : .text
      return IRCSentence(kind, sender: nil, text: text, isMine: true)
    }
    let star = UInt8(ascii: "*")
    guard name[0] == star, name[tab - 1] == star, name[1] != star else { return nil }
    return IRCSentence(.text, sender: Bytes(rebasing: name[1..<tab - 1]), text: text)
  }

  private static func isAddressed(_ name: Bytes) -> Bool {
    guard let rest = name.after(">"), rest.count > 1 else { return false }
    return rest.last == UInt8(ascii: "<") || rest.count > 3 && rest.has("‹", at: rest.count - 3)
  }

  static func action(_ rest: Bytes, _ rankMarks: StaticString) -> IRCSentence? {
    let end = rest.position(of: 0x20) ?? rest.count
    guard end > 0 else { return nil }
    return IRCSentence(
      .action, sender: withoutRank(rest.first(end), rankMarks), text: rest.dropping(min(end + 1, rest.count)))
  }

  static func withoutRank(_ nick: Bytes, _ rankMarks: StaticString) -> Bytes {
    guard nick.count > 1, rankMarks.utf8CodeUnitCount > 0 else { return nick }
    let marks = UnsafeBufferPointer(start: rankMarks.utf8Start, count: rankMarks.utf8CodeUnitCount)
    return marks.contains(nick[0]) ? nick.dropping(1) : nick
  }
}

extension IRCSentence {
  static func columns(_ rest: Bytes, _ rankMarks: StaticString) -> IRCSentence? {
    guard let tab = rest.position(of: 0x09) else { return nil }
    let prefix = rest.first(tab)
    let text = rest.dropping(tab + 1)
    if prefix.isBlank { return IRCSentence(.system, sender: nil, text: text) }
    if prefix.has(" *"), prefix.count == 2 { return action(text, rankMarks) }
    let isEvent = prefix.has("--") || prefix.has("<--") || prefix.has("=!=")
    guard isEvent, prefix.count <= 3 else {
      return IRCSentence(.text, sender: withoutRank(prefix, rankMarks), text: text)
    }
    return notice(column: text) ?? event(text, needsHost: false)
      ?? IRCSentence(.system, sender: nil, text: text)
  }

  /// `Notice(nick): text`
  private static func notice(column text: Bytes) -> IRCSentence? {
    guard let rest = text.after("Notice("), let close = rest.position(of: UInt8(ascii: ")")), close > 0 else {
      return nil
    }
    let said = rest.dropping(close + 1)
    return said.after(": ").map { IRCSentence(.notice, sender: rest.first(close), text: $0) }
  }
}

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
