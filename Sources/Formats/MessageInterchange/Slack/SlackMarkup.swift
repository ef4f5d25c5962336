/// Slack's markup: <https://docs.slack.dev/messaging/formatting-message-text>.
enum SlackMarkup {
  static func plainText(_ text: String, in workspace: SlackWorkspace) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return text
    }
    var result = ""
    var rest = text[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
      result += unescaped(rest[..<open])
      let inner = rest[rest.index(after: open)...]
      if let close = inner.utf8.firstIndex(of: UInt8(ascii: ">")),
        let shown = shown(inner[..<close], workspace)
      {
        result += unescaped(shown[...])
        rest = inner[inner.index(after: close)...]
      } else {
        result += "<"
        rest = inner
      }
    }
    return result + unescaped(rest)
  }

  /// The text of `<…>`; `nil` if it is not markup.
  private static func shown(_ inner: Substring, _ workspace: SlackWorkspace) -> String? {
    let parts = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let target = parts.first.map(String.init) ?? ""
    let label = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    switch target.first {
    case "@":
      let id = String(target.dropFirst())
      return "@" + (workspace.userName(id) ?? label ?? id)
    case "#":
      let id = String(target.dropFirst())
      return "#" + (label ?? workspace.conversationName(id: id) ?? id)
    case "!": return special(target.dropFirst(), label)
    default:
      guard schemes.contains(where: target.hasPrefix) else { return nil }
      guard let label, !target.hasSuffix(label) else { return label ?? target }
      return "\(label) (\(target))"
    }
  }

  private static func special(_ target: Substring, _ label: String?) -> String {
    if let label { return label }
    return "@" + (target.split(separator: "^").first.map(String.init) ?? String(target))
  }

  private static let schemes = ["http://", "https://", "mailto:", "tel:", "ftp://", "slack://", "file://"]

  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    return text.withUTF8 { CharacterReferences.decoded(Bytes($0), as: .slack) }
  }
}
