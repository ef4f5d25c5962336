/// One row of a screen: runs of styled text, free of control characters.
package struct Row: Hashable, Sendable {
  package var spans: [Span]
  /// The rows of pictures that are drawn over the text, from the left; none for most rows.
  package var pictures: [PictureSlot] = []
  /// The first of them; `nil` if there is none.
  package var picture: PictureSlot? {
    get { pictures.first }
    set { pictures = newValue.map { [$0] } ?? [] }
  }
  /// Whether it stands for the rest of a text that is folded.
  package var isFold = false
  /// The run in the last column of the screen, whatever the row is; `nil` for nothing of its own.
  package var edge: Span?

  /// Creates a row.
  package init(_ spans: [Span] = []) { self.spans = spans }

  /// Creates a row of one run.
  package init(_ text: String, _ style: Style = .plain) {
    spans = text.isEmpty ? [] : [Span(text, style)]
  }

  /// The columns it takes.
  package var columns: Int { spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

  /// Whether terminals disagree on where some of it stands.
  var isDoubtful: Bool {
    spans.contains { DisplayWidth.isDoubtful($0.text) }
  }

  /// Its text without styles and without spaces at the end.
  package var plainText: String {
    let text = spans.map(\.text).joined()
    return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
  }

  /// The row without spaces at its end.
  package var withoutSpacesAtEnd: Row {
    var row = self
    while var last = row.spans.popLast() {
      while last.text.last == " " { last.text.removeLast() }
      guard last.text.isEmpty else {
        row.spans.append(last)
        break
      }
    }
    return row
  }

  /// Adds a run at the end, joined with the last one if that looks the same.
  package mutating func append(_ text: some StringProtocol, _ style: Style = .plain, link: String? = nil) {
    guard !text.isEmpty else { return }
    if let last = spans.indices.last, spans[last].style == style, spans[last].link == link {
      spans[last].text += text
    } else {
      spans.append(Span(String(text), style, link: link))
    }
  }

  /// Adds spaces until it takes `columns`.
  package mutating func pad(to columns: Int, _ style: Style = .plain) {
    append(String(repeating: " ", count: max(0, columns - self.columns)), style)
  }

  /// Fills the row up to `columns`, at its end the first of some texts for which there is room.
  package mutating func close(with texts: [String], columns: Int, _ style: Style) {
    if let fitting = texts.first(where: { self.columns + DisplayWidth.columns(of: $0) + 2 <= columns }) {
      pad(to: columns - DisplayWidth.columns(of: fitting) - 1, style)
      append(fitting, style)
    }
    pad(to: columns, style)
  }

  /// Returns the row of a message with a letter in its margin, which is empty so far.
  package func withHandle(_ handle: String, margin: Int) -> Row {
    var row = Row(handle, .dim)
    row.pad(to: margin)
    guard let first = spans.first, first.style == .plain else { return self }
    row.append(first.text.dropFirst(margin), first.style)
    for span in spans.dropFirst() { row.append(span.text, span.style, link: span.link) }
    return row
  }

  /// Returns the row of a message that a search has come to: what was found stands out from what else was, and a mark
  /// closes the margin.
  ///
  /// - Parameter margin: The columns of the margin; 0 for rows without a mark.
  package func asCurrentHit(margin: Int) -> Row {
    var row = self
    for index in row.spans.indices where row.spans[index].style == .hit {
      row.spans[index].style = .currentHit
    }
    guard margin > 0, let place = row.spans.firstIndex(where: { $0.style == .plain }) else { return row }
    let before = row.spans[..<place].reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    let blank = row.spans[place].text.prefix { $0 == " " }
    guard place <= 1, before < margin, before + blank.count >= margin else { return row }
    let rest = row.spans[place].text.dropFirst(margin - before)
    row.spans[place].text = String(repeating: " ", count: margin - before - 1)
    row.spans.insert(contentsOf: [Span("▸", .currentHit), Span(String(rest), .plain)], at: place + 1)
    row.spans.removeAll { $0.text.isEmpty }
    return row
  }

  /// Returns the row in place of the rest of a text with the command that shows all of it; where both do not fit, the
  /// command alone.
  ///
  /// - Parameters:
  ///   - command: As it is to be typed.
  ///   - textColumn: Where the text begins.
  package func naming(_ command: String, columns: Int, textColumn: Int) -> Row {
    var row = self
    row.append(" · \(command)", .dim)
    if row.columns <= columns { return row }
    row = Row(String(repeating: " ", count: textColumn))
    row.append("… " + command, .dim)
    return row.columns <= columns ? row : self
  }

  /// Returns the row cut to at most `columns`, with `…` in place of what is cut off.
  package func cut(to columns: Int) -> Row {
    guard self.columns > columns else { return self }
    var row = Row()
    var left = columns - 1
    for span in spans where left >= 0 {
      let fitting = span.text.prefix(columns: left)
      row.append(fitting, span.style, link: span.link)
      if fitting.endIndex < span.text.endIndex {
        row.append(columns > 0 ? "…" : "", span.style)
        return row
      }
      left -= DisplayWidth.columns(of: fitting)
    }
    return row
  }
}

/// A run of text that looks the same throughout.
package struct Span: Hashable, Sendable {
  /// The text, free of control characters.
  package var text: String
  package var style: Style
  /// The address that it leads to when it is clicked: printable ASCII.
  package var link: String?

  /// Creates a run.
  package init(_ text: String, _ style: Style = .plain, link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

extension StringProtocol {
  /// Returns the longest beginning that takes at most `columns`.
  func prefix(columns: Int) -> SubSequence {
    var left = columns
    var end = startIndex
    while end < endIndex {
      left -= DisplayWidth.columns(of: self[end])
      if left < 0 { break }
      formIndex(after: &end)
    }
    return self[..<end]
  }

  /// Returns the text cut to at most `columns`, with `…` in place of what is cut off.
  package func cut(columns: Int) -> String {
    let fitting = prefix(columns: columns)
    if fitting.endIndex == endIndex { return String(self) }
    return columns > 0 ? prefix(columns: columns - 1) + "…" : ""
  }
}
