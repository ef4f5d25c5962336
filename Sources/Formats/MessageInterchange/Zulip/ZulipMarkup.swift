/// Mentions and links in Zulip's Markdown: <https://zulip.com/help/format-your-message-using-markdown>.
enum ZulipMarkup {
  /// Replaces `@**Ann|12**` by `@Ann` and `#**channel>topic**` by `#channel>topic`. O(length).
  static func plainText(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "*")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      if let mark = marks.first(where: { rest.starts(with: $0.utf8) }),
        let (name, count) = name(behind: mark, in: rest)
      {
        result.append(first)
        result.append(contentsOf: name)
        rest = rest.dropFirst(count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let marks = ["@**", "@_**", "#**"]
  private static let longestName = 256

  private static func name(behind mark: String, in text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int)? {
    let inner = text.dropFirst(mark.utf8.count).prefix(longestName)
    let star = UInt8(ascii: "*")
    guard let end = inner.indices.dropLast().first(where: { inner[$0] == star && inner[$0 + 1] == star }),
      end > inner.startIndex
    else { return nil }
    var name = inner[..<end]
    // `|12` is added to names that several people share.
    if mark != "#**", let bar = name.lastIndex(of: UInt8(ascii: "|")), bar > name.startIndex {
      name = name[..<bar]
    }
    return (name, mark.utf8.count + (end - inner.startIndex) + 2)
  }
}
