internal import HistoryPage
internal import HistoryQueries
internal import MessageModel

/// The resource at an address, behind the key.
enum ServerRoute: Hashable {
  /// The page without the trailing slash that its links need.
  case bareKey
  case page
  case styleSheet
  case script
  case part(PagePart)
  case icon
  /// The question with a word.
  case question(String)
  /// A page as one document, which is kept.
  case document
  case changes
  /// What can be imported here, while the store has no messages.
  case found
  /// Where the page posts what it writes.
  case write(PagePermission)
  case attachment(Message.ID, index: Int, AttachmentForm)

  enum AttachmentForm: String, CaseIterable {
    case original, thumbnail, preview
  }

  /// Parses a path. Nothing in it is decoded, and it never names a file.
  init?(path: Substring) {
    if path.isEmpty {
      self = .bareKey
      return
    }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, ""): self = .page
    case (1, "page.css"): self = .styleSheet
    case (1, "page.js"): self = .script
    case (1, "icon.svg"): self = .icon
    case (1, "document"): self = .document
    case (1, let name):
      guard let part = PagePart(rawValue: name) else { return nil }
      self = .part(part)
    case (2, "api") where parts[1] == "changes": self = .changes
    case (2, "api") where parts[1] == "found": self = .found
    case (2, "api") where parts[1] == "read": self = .write(.read)
    case (2, "api") where parts[1] == "star": self = .write(.stars)
    case (2, "api"):
      guard HistoryQuestions.named(parts[1])?.isServed == true else { return nil }
      self = .question(parts[1])
    case (3, "attachment"), (4, "attachment"):
      let form = parts.count == 4 ? AttachmentForm(rawValue: parts[3]) : .original
      guard let id = Message.ID(parts[1]), let index = Int(parts[2]), index >= 0, let form,
        parts.count == 3 || form != .original
      else { return nil }
      self = .attachment(id, index: index, form)
    default: return nil
    }
  }
}
