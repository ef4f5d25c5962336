package enum MarkupText {
  /// Escapes text for HTML, XML and SVG, except within attributes, where quotes matter.
  package static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
