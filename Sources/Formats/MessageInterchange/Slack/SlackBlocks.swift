internal import MessageModel

/// The words of blocks and cards: <https://docs.slack.dev/reference/block-kit/blocks>.
struct SlackBlocks {
  let workspace: SlackWorkspace

  /// Rich text nests lists in quotes in sections; more than that is not Slack's.
  private static let deepest = 8

  /// The lines of the blocks of a message or of a card.
  func lines(of fields: JSONFields) throws(JSONError) -> [String] {
    var lines: [String] = []
    try fields.forEach("blocks") { value throws(JSONError) in
      lines += try self.lines(ofBlock: try JSONFields.reading(value))
    }
    return lines
  }

  /// The lines of a card: its titles, text, fields and blocks, without those that stand in the message already.
  ///
  /// The fallback is for programs that show no cards; it counts where there is nothing else.
  func lines(ofCard card: JSONFields, besides known: [String]) throws(JSONError) -> [String] {
    var lines: [String] = []
    // The author of a shared message is the origin of what was forwarded.
    let keys =
      SlackMessage.isShare(card)
      ? ["pretext", "title", "text"] : ["pretext", "author_name", "title", "text"]
    for key in keys {
      guard let line = try card.plainText(key), !line.isEmpty else { continue }
      let link = key == "title" ? try card.plainText("title_link") ?? "" : ""
      lines.append(link.isEmpty || line.contains(link) ? plain(line) : "\(plain(line)) (\(link))")
    }
    try card.forEach("fields") { value throws(JSONError) in
      let field = try JSONFields.reading(value)
      let words = [try field.plainText("title"), try field.plainText("value")].compactMap { $0 }
      lines.append(plain(words.filter { !$0.isEmpty }.joined(separator: ": ")))
    }
    lines += try self.lines(of: card)
    try card.forEach("message_blocks") { value throws(JSONError) in
      guard lines.allSatisfy(\.isEmpty), let message = try JSONFields.reading(value).object("message") else {
        return
      }
      lines += try self.lines(of: message)
    }
    lines.append(try card.plainText("image_url") ?? "")
    if let footer = try card.plainText("footer"), !footer.isEmpty, lines.contains(where: { !$0.isEmpty }) {
      lines.append(plain(footer))
    }
    lines = lines.filter { !$0.isEmpty && !known.contains($0) }
    if lines.isEmpty, let fallback = try card.plainText("fallback") { lines = [plain(fallback)] }
    return lines
  }

  private func plain(_ text: String) -> String { SlackMarkup.plainText(text, in: workspace) }

  private func lines(ofBlock block: JSONFields) throws(JSONError) -> [String] {
    switch try block.string("type") ?? "" {
    case "rich_text":
      var lines: [String] = []
      try block.forEach("elements") { value throws(JSONError) in
        lines += try self.lines(ofRichText: try JSONFields.reading(value), depth: 0)
      }
      return lines
    case "table": return try rows(of: block)
    case "context", "actions":
      var words: [String] = []
      try block.forEach("elements") { value throws(JSONError) in
        words.append(try self.words(of: try JSONFields.reading(value)))
      }
      return [words.filter { !$0.isEmpty }.joined(separator: " ")]
    case let type:
      var lines = [try words(of: block)]
      if let address = try block.plainText("image_url"), !address.isEmpty {
        lines = lines[0].isEmpty ? [address] : ["\(lines[0]) (\(address))"]
      }
      try block.forEach("fields") { value throws(JSONError) in
        lines.append(try self.words(of: try JSONFields.reading(value)))
      }
      if let accessory = block.object("accessory") { lines.append(try words(of: accessory)) }
      lines = lines.filter { !$0.isEmpty }
      return lines.isEmpty && !Self.silent.contains(type) ? ["[\(type)]"] : lines
    }
  }

  /// Blocks without words of their own.
  private static let silent: Set<String> = ["divider", "actions", "file", ""]

  /// The words of a text object, or of a block or an element that has one.
  private func words(of fields: JSONFields) throws(JSONError) -> String {
    for key in ["text", "title", "label", "alt_text", "description"] {
      for text in [try fields.object(key)?.plainText("text"), try fields.plainText(key)] {
        guard let text, !text.isEmpty else { continue }
        let link = try fields.plainText("url") ?? ""
        return link.isEmpty || text.contains(link) ? plain(text) : "\(plain(text)) (\(link))"
      }
    }
    return ""
  }

  private func rows(of table: JSONFields) throws(JSONError) -> [String] {
    var lines: [String] = []
    try table.forEach("rows") { value throws(JSONError) in
      var cells: [String] = []
      var scanner = JSONScanner(value)
      guard try scanner.kind() == .array else { return }
      try scanner.array { scanner throws(JSONError) in
        let cell = try JSONFields.reading(try scanner.value())
        cells.append(try self.lines(ofBlock: cell).joined(separator: " "))
      }
      lines.append(cells.joined(separator: " | "))
    }
    return lines
  }

  private func lines(ofRichText element: JSONFields, depth: Int) throws(JSONError) -> [String] {
    guard depth < Self.deepest else { return [] }
    let type = try element.string("type") ?? ""
    if type == "rich_text_list" {
      var lines: [String] = []
      try element.forEach("elements") { value throws(JSONError) in
        let item = try self.lines(ofRichText: try JSONFields.reading(value), depth: depth + 1)
        lines.append("- " + item.joined(separator: " "))
      }
      return lines
    }
    var text = ""
    try element.forEach("elements") { value throws(JSONError) in
      let part = try JSONFields.reading(value)
      text +=
        part["elements"] == nil
        ? try self.text(ofPart: part)
        : try self.lines(ofRichText: part, depth: depth + 1).joined(separator: "\n")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return type == "rich_text_quote" ? lines.map { "> \($0)" } : lines
  }

  private func text(ofPart part: JSONFields) throws(JSONError) -> String {
    switch try part.string("type") ?? "" {
    case "link":
      let (address, label) = (try part.plainText("url") ?? "", try part.plainText("text") ?? "")
      return label.isEmpty || label == address ? address : "\(label) (\(address))"
    case "user":
      let id = try part.plainText("user_id") ?? ""
      return "@" + (workspace.userName(id) ?? id)
    case "channel":
      let id = try part.plainText("channel_id") ?? ""
      return "#" + (workspace.conversationName(id: id) ?? id)
    case "usergroup": return "@" + (try part.plainText("usergroup_id") ?? "")
    case "broadcast": return "@" + (try part.plainText("range") ?? "")
    case "emoji": return ":\(try part.plainText("name") ?? ""):"
    case let type:
      // A text, the fallback of a date, or the text of a later kind of element.
      return try part.firstText(["text", "fallback", "value"]) ?? "[\(type)]"
    }
  }
}
