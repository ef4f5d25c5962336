internal import MessageStorage

extension CareStep {
  var text: String {
    switch self {
    case .file: "the pages of the file"
    case .references: "what messages refer to"
    case .texts: "texts and checksums"
    case .search: "the search index"
    case .counts: "counts"
    case .duplicates: "keys of imported messages"
    case .contents: "attachments"
    case .repair: "repairing what was found"
    case .copy: "rewriting the file"
    }
  }
}
