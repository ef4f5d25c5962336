extension QueryExpression {
  /// The query as typed, which parses to itself. Quotation marks in values are dropped.
  package var text: String { text(in: .whole) }

  private enum Place {
    case whole, all, any, not
  }

  private func text(in place: Place) -> String {
    switch self {
    case .phrase(let text, let isPrefix): return Self.phrase(text) + (isPrefix ? "*" : "")
    case .term(let term): return term.text
    case .not(let inner): return "-" + inner.text(in: .not)
    case .all(let parts):
      let text = parts.map { $0.text(in: .all) }.joined(separator: " ")
      return place == .whole || place == .any ? text : "(\(text))"
    case .any(let parts):
      let text = parts.map { $0.text(in: .any) }.joined(separator: " OR ")
      return place == .whole ? text : "(\(text))"
    }
  }

  private static func phrase(_ text: String) -> String {
    let isBare =
      !["OR", "AND", "NOT", "|", "&"].contains(text) && text.first != "-" && text.last != "*"
      && !text.contains { $0.isWhitespace || "\"():".contains($0) }
    return isBare ? text : QueryTerm.quoted(text)
  }
}

extension QueryTerm {
  package var text: String {
    // Following words could become part of a time.
    let isBare = !value.contains { $0.isWhitespace || "\"()".contains($0) } && !value.isEmpty
    return "\(key.rawValue):\(isBare ? value : Self.quoted(value))"
  }

  static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: ""))\"" }
}
