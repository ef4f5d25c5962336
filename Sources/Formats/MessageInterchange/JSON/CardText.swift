/// The lines of a card: an adaptive one (<https://adaptivecards.io/explorer/>), or one of an older kind with a
/// title, a text and buttons.
struct CardText {
  private static let deepest = 12
  private static let mostLines = 500

  private(set) var lines: [String] = []
  /// Older cards have HTML in their texts, adaptive ones Markdown.
  private let isHTML: Bool

  init(_ card: JSONFields, isHTML: Bool = false) throws(JSONError) {
    self.isHTML = isHTML
    try read(card, depth: 0)
  }

  private mutating func read(_ element: JSONFields, depth: Int) throws(JSONError) {
    guard depth < Self.deepest, lines.count < Self.mostLines else { return }
    let address = try ["url", "value"].firstAddress(in: element)
    for key in Self.words {
      if let line = try element.plainText(key) { add(line) }
    }
    if let address, let last = lines.last, try last == element.plainText("title") {
      lines[lines.count - 1] = "\(last) (\(address))"
    }
    try element.forEach("facts") { value throws(JSONError) in
      guard let fact = JSONFields(value) else { return }
      let words = [try fact.firstText(["title", "name"]), try fact.plainText("value")].compactMap { $0 }
      add(words.filter { !$0.isEmpty }.joined(separator: ": "))
    }
    for key in Self.lists { try readList(key, of: element, depth: depth) }
  }

  private mutating func readList(_ key: String, of element: JSONFields, depth: Int) throws(JSONError) {
    try element.forEach(key) { value throws(JSONError) in
      if let inner = JSONFields(value) {
        try read(inner, depth: depth + 1)
      } else if let line = try? value.jsonString() {
        add(line)
      }
    }
    if let inner = element.object(key) { try read(inner, depth: depth + 1) }
  }

  private static let words = [
    "title", "subtitle", "activityTitle", "activitySubtitle", "text", "activityText", "label", "altText",
  ]
  private static let lists = [
    "content", "attachments", "body", "items", "columns", "rows", "cells", "inlines", "sections", "images",
    "choices", "buttons", "actions", "potentialAction",
  ]

  private mutating func add(_ line: String) {
    let line = isHTML ? HTMLText.plain(line, showsEmoji: true) : line
    if !line.isEmpty, lines.count < Self.mostLines, !lines.contains(line) { lines.append(line) }
  }
}

extension [String] {
  fileprivate func firstAddress(in element: JSONFields) throws(JSONError) -> String? {
    for key in self {
      if let text = try element.plainText(key), text.hasPrefix("http") { return text }
    }
    return nil
  }
}
