internal import HistoryPage
internal import MessageModel
internal import NIOHTTP1

/// The files of the page, compressed if the client accepts that, as all browsers do.
struct PageAnswers: Sendable {
  /// A tag that differs between versions of the page.
  let tag: String
  private let files: [ServerRoute: File]

  private struct File: Sendable {
    let bytes: [UInt8]
    let packed: [UInt8]
    let type: String
    let policy: String
    let tag: String

    init(_ bytes: [UInt8], _ type: String, policy: String = ServerAnswer.policyOfNothing) {
      (self.bytes, self.type, self.policy) = (bytes, "\(type); charset=utf-8", policy)
      (packed, tag) = (Gzip.packed(bytes), ContentTag(bytes).text)
    }
  }

  /// Compressed when the first of them is requested.
  static let shared = PageAnswers()

  private init() {
    var files: [ServerRoute: File] = [
      .page: File(PageFiles.document, "text/html", policy: ServerAnswer.pagePolicy),
      .styleSheet: File(PageFiles.styleSheet, "text/css"), .script: File(PageFiles.script, "text/javascript"),
      .icon: File(PageFiles.icon, "image/svg+xml"),
    ]
    for part in PagePart.allCases { files[.part(part)] = File(part.bytes, part.type) }
    self.files = files
    tag =
      ContentTag(
        [PageFiles.document, PageFiles.styleSheet, PageFiles.script] + PagePart.allCases.map(\.bytes)
      ).text
  }

  /// The page's first request. Browsers start it as soon as they have this header, before the script is
  /// loaded.
  private static let ahead =
    "<api/conversations?order=newest&limit=20&unread=true&newest=true>; rel=preload; as=fetch; crossorigin"

  /// `nil` if the route is no file of the page.
  func answer(_ route: ServerRoute, _ headers: HTTPHeaders) -> ServerAnswer? {
    guard let file = files[route] else { return nil }
    guard !headers.names(file.tag) else { return .unchanged(file.tag) }
    let isPacked = headers.takesGzip
    var answer = ServerAnswer.bytes(
      isPacked ? file.packed : file.bytes, type: file.type, policy: file.policy, tag: file.tag)
    answer.fields.append(("Vary", "Accept-Encoding"))
    if route == .page { answer.fields.append(("Link", Self.ahead)) }
    if isPacked { answer.fields.append(("Content-Encoding", "gzip")) }
    return answer
  }
}

extension HTTPHeaders {
  fileprivate var takesGzip: Bool {
    self["Accept-Encoding"].contains { field in
      field.split(separator: ",").contains { one in
        let parts = one.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        return parts.first == "gzip" && !parts.dropFirst().contains { ["q=0", "q=0.0"].contains($0) }
      }
    }
  }
}

/// An entity tag that depends on the content only, so that another version of the program has others.
struct ContentTag {
  /// The tag with its quotation marks.
  let text: String

  init(_ content: [UInt8]) { self.init([content]) }

  init(_ contents: [[UInt8]]) {
    let hash = contents.reduce(FNVHash.start) { hash, content in
      content.withUnsafeBytes { FNVHash.of($0, after: hash) }
    }
    text = "\"\(String(hash, radix: 16))\""
  }
}
