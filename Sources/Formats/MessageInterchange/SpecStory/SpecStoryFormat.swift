internal import MessageModel

/// `_**User (2026-03-01 10:00:01Z)**_`, `_**Agent - sidechain (claude-opus-4-5 2026-03-01 10:00:03Z)**_`; before
/// 2026 without times, and `Assistant` for the agent.
struct SpecStoryHeading {
  let isMine: Bool
  let isOnSide: Bool
  private let inner: Substring

  private static let names = ["User", "Agent", "Assistant"]

  init?(_ line: String) {
    guard line.hasPrefix("_**"), line.hasSuffix("**_") else { return nil }
    let text = line.dropFirst(3).dropLast(3)
    let head = text.prefix { $0 != "(" }
    let words = head.split(separator: " ")
    guard let name = words.first, Self.names.contains(String(name)), words.count == 1 || words.count == 3
    else {
      return nil
    }
    isMine = name == "User"
    isOnSide = words.last == "sidechain"
    inner = text[head.endIndex...].dropFirst().dropLast()
  }

  /// Whether a line is the beginning of a heading or a tag, as the last one of a cut file may be.
  static func isBegun(_ line: String) -> Bool {
    ["_**", "<tool-use ", "<think>"].contains { line.hasPrefix($0) || $0.hasPrefix(line) }
  }

  /// The model and the time in the parentheses.
  func details(
    _ times: inout LooseTime
  ) -> (model: String?, time: (time: Timestamp, precision: TimePrecision)?) {
    let words = inner.split(separator: " ")
    let time = words.count < 2 ? nil : times.read(words.suffix(2).joined(separator: " "))
    let model = (time == nil ? words : Array(words.dropLast(2))).joined(separator: " ")
    return (model.isEmpty ? nil : model, time)
  }

  /// `2026-03-01_10-00-01Z-warm-cups` has a time.
  static func time(ofFile name: String) -> String {
    let clock = name.prefix(19)
    guard clock.count == 19, name.dropFirst(19).first == "Z" else { return "" }
    return "\(clock.prefix(10)) \(clock.suffix(8).replacing("-", with: ":"))Z"
  }
}

/// The text of a message, with the thoughts and calls that SpecStory marks by tags.
struct SpecStoryText {
  private(set) var parts: [AssistantPart] = []
  private(set) var id: String?
  private var text: [String] = []

  init(_ lines: [String]) {
    var rest = lines[...]
    while rest.last.map({ $0.isEmpty || $0 == "---" }) ?? false { rest.removeLast() }
    while let line = rest.popFirst() {
      if line.hasPrefix("<think>") {
        let inner = Self.taking(from: &rest, upTo: "</details></think>")
        add(AssistantPart(kind: .thinking, text: inner.joined(separator: "\n")))
      } else if line.hasPrefix("<tool-use ") {
        add(Self.call(line, Self.taking(from: &rest, upTo: "</details></tool-use>")))
      } else if parts.isEmpty, text.isEmpty, line.hasPrefix("<!-- message-id: ") {
        id = line.dropFirst("<!-- message-id: ".count).split(separator: " ").first.map(String.init)
      } else {
        text.append(line)
      }
    }
    closeText()
  }

  private mutating func add(_ part: AssistantPart) {
    closeText()
    if !part.isBlank { parts.append(part) }
  }

  private mutating func closeText() {
    let part = AssistantPart(kind: .text, text: text.joined(separator: "\n").trimming(\.isWhitespace))
    text = []
    if !part.isBlank { parts.append(part) }
  }

  private static func taking(from lines: inout ArraySlice<String>, upTo end: String) -> [String] {
    var taken: [String] = []
    while let line = lines.popFirst() {
      if line.hasPrefix(end) { break }
      taken.append(line)
    }
    return taken
  }

  /// A call with its result, which nothing separates: its name, its summary and what lies between the tags.
  private static func call(_ tag: String, _ lines: [String]) -> AssistantPart {
    let mark = "data-tool-name=\""
    let name = tag.firstRange(of: mark).map { tag[$0.upperBound...].prefix { $0 != "\"" } } ?? "tool"
    var body = lines
    if let first = body.first, first.hasPrefix("<summary>") {
      let summary = first.replacing("<summary>", with: "").replacing("</summary>", with: "")
      body[0] = summary.replacing("Tool use: **\(name)**", with: "")
    }
    let text = body.joined(separator: "\n").trimming(\.isWhitespace)
    return AssistantPart(kind: .tool, text: text.isEmpty ? String(name) : "\(name)\n\(text)")
  }
}
