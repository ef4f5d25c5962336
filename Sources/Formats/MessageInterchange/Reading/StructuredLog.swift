/// Logs of assistants that no format is made for. Their texts stand under the usual names, so that JSON Lines would read them
/// by half: without the calls of tools and the thoughts between.
enum StructuredLog {
  /// Whether lines say what sort of record each is, and some of them are messages with parts of which no text would be left.
  static func losesParts(_ sample: FormatSample) -> Bool {
    sample.hasRecord { record in
      guard record["type"] != nil else { return false }
      let content = record.object("message")?["content"] ?? record["content"]
      return !parts(of: content).isEmpty
    }
  }

  /// Words in the types of parts that are steps of an assistant; a picture has no text either, and loses none.
  private static let steps = ["tool", "call", "function", "thinking", "reasoning"]

  /// The types of the steps in a content that have no text which would be found.
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
