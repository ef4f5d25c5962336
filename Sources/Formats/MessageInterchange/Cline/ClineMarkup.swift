internal import MessageModel

/// The tags that Cline's programs and their models use.
enum ClineMarkup {
  /// Tools called with tags, before models had tool calls.
  private static let tools: Set<Substring> = [
    "read_file", "write_to_file", "replace_in_file", "apply_diff", "apply_patch", "insert_content",
    "search_and_replace", "edit_file", "search_replace", "execute_command", "read_command_output",
    "list_files",
    "search_files", "list_code_definition_names", "codebase_search", "browser_action", "use_mcp_tool",
    "access_mcp_resource", "load_mcp_documentation", "fetch_instructions", "ask_followup_question",
    "attempt_completion", "plan_mode_respond", "act_mode_respond", "new_task", "switch_mode", "condense",
    "summarize_task", "report_bug", "new_rule", "update_todo_list", "run_slash_command", "generate_image",
    "web_fetch", "web_search", "use_subagents", "use_skill", "focus_chain",
  ]
  private static let thoughts: Set<Substring> = ["thinking", "think"]

  /// Tools that only address the user, with the keys of their text.
  private static let words: [String: [String]] = [
    "attempt_completion": ["result"], "ask_followup_question": ["question"],
    "plan_mode_respond": ["response"],
    "act_mode_respond": ["response"],
  ]

  static func words(of tool: String) -> [String]? { words[tool] }

  /// Splits a model's text into texts, thoughts and calls. O(bytes).
  static func answered(_ text: String) -> [AssistantPart] {
    var parts: [AssistantPart] = []
    var rest = text[...]
    var searched = rest.startIndex
    while let tag = nextTag(in: rest, from: searched) {
      guard tools.contains(tag.name) || thoughts.contains(tag.name) else {
        searched = tag.end
        continue
      }
      add(rest[..<tag.start], to: &parts)
      let close = end(of: tag.name, in: rest[tag.end...])
      let body = rest[tag.end..<(close?.lowerBound ?? rest.endIndex)]
      parts.append(part(String(tag.name), body))
      rest = rest[(close?.upperBound ?? rest.endIndex)...]
      searched = rest.startIndex
    }
    add(rest, to: &parts)
    return parts
  }

  private static func add(_ text: Substring, to parts: inout [AssistantPart]) {
    let own = text.trimmingBlanks
    if !own.isEmpty { parts.append(AssistantPart(kind: .text, text: own)) }
  }

  private static func part(_ name: String, _ body: Substring) -> AssistantPart {
    if thoughts.contains(name[...]) { return AssistantPart(kind: .thinking, text: body.trimmingBlanks) }
    let given = arguments(body)
    if let keys = words[name], let said = given.first(where: { keys.contains($0.name) }) {
      return AssistantPart(kind: .text, text: said.value)
    }
    let lines = given.map { "\($0.name): \($0.value)" }
    return AssistantPart(kind: .tool, text: ([name] + lines).joined(separator: "\n"))
  }

  private static let longValues: Set<Substring> = ["content", "diff", "args", "result", "arguments"]

  private static func arguments(_ body: Substring) -> [(name: String, value: String)] {
    var given: [(String, String)] = []
    var rest = body
    while let tag = nextTag(in: rest, from: rest.startIndex) {
      let inner = rest[tag.end...]
      let close = end(of: tag.name, in: inner, isLast: longValues.contains(tag.name))
      given.append((String(tag.name), inner[..<(close?.lowerBound ?? inner.endIndex)].trimmingBlanks))
      rest = inner[(close?.upperBound ?? inner.endIndex)...]
    }
    return given
  }

  private static func nextTag(
    in text: Substring, from start: String.Index
  ) -> (name: Substring, start: String.Index, end: String.Index)? {
    var searched = start
    while let open = text.utf8[searched...].firstIndex(of: UInt8(ascii: "<")) {
      let behind = text.utf8.index(after: open)
      var end = behind
      while end < text.endIndex, isNameByte(text.utf8[end]) { end = text.utf8.index(after: end) }
      if end > behind, end < text.endIndex, text.utf8[end] == UInt8(ascii: ">") {
        return (text[behind..<end], open, text.utf8.index(after: end))
      }
      searched = behind
    }
    return nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_")
  }

  private static func end(
    of name: Substring, in text: Substring, isLast: Bool = false
  ) -> Range<String.Index>? {
    isLast ? text.ranges(of: "</\(name)>").last : text.firstBytes(of: "</\(name)>")
  }

  private static let asking = ["task", "feedback", "user_message", "answer"]

  /// Empty if the whole text is the program's.
  static func asked(_ text: String) -> [String] {
    guard text[...].firstBytes(of: "<") != nil else { return [] }
    return asking.flatMap { tag in
      var found: [String] = []
      var rest = text[...]
      while let open = rest.firstBytes(of: "<\(tag)>") {
        let inner = rest[open.upperBound...]
        guard let close = inner.firstBytes(of: "</\(tag)>") else { break }
        let own = inner[..<close.lowerBound].trimmingBlanks
        if !own.isEmpty { found.append(own) }
        rest = inner[close.upperBound...]
      }
      return found
    }
  }

  /// Parses `[read_file for 'tea.txt'] Result:` and the text after it; `nil` for other texts.
  static func result(_ text: String) -> (tool: String, text: String)? {
    guard text.utf8.first == UInt8(ascii: "["), let mark = text[...].firstBytes(of: "] Result:") else {
      return nil
    }
    let tool = text.dropFirst().prefix { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
    guard !tool.isEmpty else { return nil }
    return (String(tool), text[mark.upperBound...].trimmingBlanks)
  }

  static func told(_ text: String) -> String {
    let failures = ["The tool execution failed", "Error executing", "Error reading", "<error>"]
    return failures.contains(where: text.hasPrefix) ? "failed: \(text)" : text
  }

  static func folder(in text: String) -> String? {
    for mark in ["# Current Working Directory (", "# Current Workspace Directory ("] {
      guard let open = text[...].firstBytes(of: mark) else { continue }
      let line = text[open.upperBound...].prefix { !$0.isNewline }
      if let close = line.firstRange(of: ") Files") ?? line.firstRange(of: ")") {
        return String(line[..<close.lowerBound])
      }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
