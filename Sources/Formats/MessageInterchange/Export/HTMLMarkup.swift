internal import MessageMarkup

/// Renders marked-up text as HTML. All tags are generated here; text and attributes are escaped.
enum HTMLMarkup {
  static func html(
    of text: String, as dialect: MarkupDialect, escaping escaped: (Substring) -> String
  ) -> String {
    let markup = Markup(text, as: dialect)
    guard !markup.spans.isEmpty else { return escaped(text[...]) }
    var html = ""
    func part(_ range: Range<Int>) -> Substring {
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }
    markup.walk(byteCount: text.utf8.count) { step in
      switch step {
      case .text(let range): html += escaped(part(range))
      case .instead(let other, _): html += escaped(other[...])
      case .begin(let span):
        if span.style == .link {
          let address = escaped(span.target?[...] ?? part(span.content))
          html += "<a href=\"\(address)\" rel=\"noreferrer noopener nofollow\">"
        } else {
          html += "<\(tag(of: span.style).opening)>"
        }
      case .end(let span): html += "</\(tag(of: span.style).name)>"
      }
    }
    return html
  }

  private static func tag(of style: MarkupSpan.Style) -> (name: String, opening: String) {
    switch style {
    case .bold: ("b", "b")
    case .italic: ("i", "i")
    case .underline: ("u", "u")
    case .strike: ("s", "s")
    case .code: ("code", "code")
    case .block: ("code", "code class=\"block\"")
    case .heading: ("b", "b class=\"heading\"")
    case .link: ("a", "a")
    case .spoiler, .quote, .item, .mention, .emoji, .sign, .quoteSign:
      ("span", "span class=\"\(style.rawValue)\"")
    }
  }
}
