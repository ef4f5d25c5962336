internal import MessageModel

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
