/// The text in an arbitrary JSON value.
///
/// Programs for language models write a text as a list of blocks; others as pieces with objects for their
/// styles. Names and numbers in an object are not text.
enum LooseText {
  private static let keys = ["text", "content", "body", "message"]
  private static let deepest = 6

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

  /// Pieces of a text are joined directly, blocks as lines.
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
