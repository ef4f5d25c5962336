/// A row of a screen: runs of styled text without control characters.
package struct Row: Hashable, Sendable {
  package var spans: [Span]
  /// Pictures drawn over the text, from left to right.
  package var pictures: [PictureSlot] = []
  package var picture: PictureSlot? {
    get { pictures.first }
    set { pictures = newValue.map { [$0] } ?? [] }
  }
  /// Whether it stands for folded text.
  package var isFold = false
  /// A run in the screen's last column, such as a part of the scroll bar.
  package var edge: Span?

  package init(_ spans: [Span] = []) { self.spans = spans }

  package init(_ text: String, _ style: Style = .plain) {
    spans = text.isEmpty ? [] : [Span(text, style)]
  }

  package var columns: Int { spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

  var isDoubtful: Bool {
    spans.contains { DisplayWidth.isDoubtful($0.text) }
  }

  /// The text without styles and trailing spaces.
  package var plainText: String {
    let text = spans.map(\.text).joined()
    return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
  }

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

  /// Appends a run, joined with the last one if the styles are equal.
  package mutating func append(_ text: some StringProtocol, _ style: Style = .plain, link: String? = nil) {
    guard !text.isEmpty else { return }
    if let last = spans.indices.last, spans[last].style == style, spans[last].link == link {
      spans[last].text += text
    } else {
      spans.append(Span(String(text), style, link: link))
    }
  }

  package mutating func pad(to columns: Int, _ style: Style = .plain) {
    append(String(repeating: " ", count: max(0, columns - self.columns)), style)
  }

  /// Fills the row up to `columns` and ends it with the first text that fits.
  package mutating func close(with texts: [String], columns: Int, _ style: Style) {
    if let fitting = texts.first(where: { self.columns + DisplayWidth.columns(of: $0) + 2 <= columns }) {
      pad(to: columns - DisplayWidth.columns(of: fitting) - 1, style)
      append(fitting, style)
    }
    pad(to: columns, style)
  }

  /// Puts a letter into the blank margin.
  package func withHandle(_ handle: String, margin: Int) -> Row {
    var row = Row(handle, .dim)
    row.pad(to: margin)
    guard let first = spans.first, first.style == .plain else { return self }
    row.append(first.text.dropFirst(margin), first.style)
    for span in spans.dropFirst() { row.append(span.text, span.style, link: span.link) }
    return row
  }

  /// Marks the row of the current hit: other colours, and a mark at the end of the margin.
  ///
  /// - Parameter margin: The width of the margin; 0 for rows without a mark.
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

  /// Adds the command that shows folded text; if both do not fit, shows the command alone.
  package func naming(_ command: String, columns: Int, textColumn: Int) -> Row {
    var row = self
    row.append(" · \(command)", .dim)
    if row.columns <= columns { return row }
    row = Row(String(repeating: " ", count: textColumn))
    row.append("… " + command, .dim)
    return row.columns <= columns ? row : self
  }

  /// Cuts the row to `columns`, ending it with `…`.
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

/// Text of one style.
package struct Span: Hashable, Sendable {
  /// Without control characters.
  package var text: String
  package var style: Style
  /// The target of a link: printable ASCII.
  package var link: String?

  package init(_ text: String, _ style: Style = .plain, link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

extension StringProtocol {
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

  /// Cuts the text to `columns`, ending it with `…`.
  package func cut(columns: Int) -> String {
    let fitting = prefix(columns: columns)
    if fitting.endIndex == endIndex { return String(self) }
    return columns > 0 ? prefix(columns: columns - 1) + "…" : ""
  }
}
