/// Logs of assistants without a format of their own. Their texts have the usual keys, so JSON Lines would
/// read half of them: without tool calls and thoughts.
enum StructuredLog {
  /// Whether records have types, and some are messages with parts that would lose their text.
  static func losesParts(_ sample: FormatSample) -> Bool {
    sample.hasRecord { record in
      guard record["type"] != nil else { return false }
      let content = record.object("message")?["content"] ?? record["content"]
      return !parts(of: content).isEmpty
    }
  }

  /// Words in the types of parts that are an assistant's steps. A picture has no text either, but loses none.
  private static let steps = ["tool", "call", "function", "thinking", "reasoning"]

  private static func parts(of content: Bytes?) -> [String] {
    guard let content, content.first == UInt8(ascii: "[") else { return [] }
    var types: [String] = []
    var scanner = JSONScanner(content)
    try? scanner.array { scanner throws(JSONError) in
      let value = try scanner.value()
      guard let type = try JSONFields(value)?.plainText("type"), try LooseText.read(value) == nil else {
        return
      }
      if steps.contains(where: type.lowercased().contains) { types.append(type) }
    }
    return types
  }
}
