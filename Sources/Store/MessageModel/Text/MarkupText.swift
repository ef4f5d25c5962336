/// Text between the marks of HTML, XML and SVG.
package enum MarkupText {
  /// Returns text in which nothing is a mark. In attributes quotes would still be.
  package static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
