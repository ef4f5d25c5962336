package import MessageModel

/// What a document says of its messages, besides them: counts, sources, and what is missing.
package struct ExportAccount: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var term: String
    /// Lines of plain text.
    package var text: String

    package init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
  }

  package var title: String
  package var rows: [Row]
  /// Whether it is the last one, of the whole document.
  package var isOfSources: Bool

  package init(_ title: String, isOfSources: Bool = false, _ rows: [Row]) {
    (self.title, self.isOfSources, self.rows) = (title, isOfSources, rows)
  }

  /// `2024-05-01T12:34:56.789Z`, whatever the zone of the document.
  package static func moment(_ time: Timestamp) -> String {
    var bytes: [UInt8] = []
    ISO8601.write(time, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
