/// The text in a JSON value of which nothing is known but that it is, or holds, what somebody wrote.
///
/// Programs that talk to language models write a message as an object, and its text as a list of blocks; others write pieces
/// of a text and objects for its styles. What an object is called or counted by is no text.
enum LooseText {
  private static let keys = ["text", "content", "body", "message"]
  private static let deepest = 6

  /// Returns the text that `value` is or holds; `nil` if it holds none.
  static func read(_ value: Bytes, depth: Int = 0) throws(JSONError) -> String? {
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: return try scanner.string().string()
    case .number, .literal: return depth == 0 ? value.string : nil
    case .object:
      guard depth < deepest, let fields = JSONFields(value) else { return nil }
      for key in keys {
        if let inner = fields[key], let text = try read(inner, depth: depth + 1) { return text }
      }
      return nil
    case .array: return depth < deepest ? try join(value, depth: depth) : nil
    }
  }

  /// Puts the texts of a list together: pieces of one text as they stand, blocks with a line each.
  private static func join(_ list: Bytes, depth: Int) throws(JSONError) -> String? {
    var texts: [String] = []
    var hasPieces = false
    var scanner = JSONScanner(list)
    try scanner.array { scanner throws(JSONError) in
      let element = try scanner.value()
      if element.first == UInt8(ascii: "\"") { hasPieces = true }
      if let text = try read(element, depth: depth + 1) { texts.append(text) }
    }
    return texts.isEmpty ? nil : texts.joined(separator: hasPieces ? "" : "\n")
  }
}
